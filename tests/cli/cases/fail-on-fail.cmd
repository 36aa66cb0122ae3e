--scenario no-shell
0
$BIN check -n dynamo-demo --fail-on fail --no-headers
