--scenario disagg-ib --fault forbidden:pods
4
$BIN check -n dynamo-demo
