--scenario tcp-fallback
1
$BIN check -n dynamo-demo -o json
