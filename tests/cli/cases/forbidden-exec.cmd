--scenario disagg-ib --fault forbidden:pods/exec
4
$BIN check -n dynamo-demo
