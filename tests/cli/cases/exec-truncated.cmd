--scenario disagg-ib --fault exec-truncate
3
$BIN check -n dynamo-demo
