--scenario disagg-ib
2
$BIN check -n dynamo-demo --skip IB-999=typo
