--scenario disagg-ib
4
$BIN check -n dynamo-demo --pod nope
