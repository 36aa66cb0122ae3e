--scenario old-operator
0
$BIN check -n dynamo-demo
