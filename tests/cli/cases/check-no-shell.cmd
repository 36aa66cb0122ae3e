--scenario no-shell
3
$BIN check -n dynamo-demo
