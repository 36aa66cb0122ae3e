--scenario no-sm
1
$BIN check -n dynamo-demo --probe-timeout 60s
