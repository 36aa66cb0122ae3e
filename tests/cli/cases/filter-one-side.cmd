--scenario disagg-ib
3
$BIN check -n dynamo-demo --role prefill
