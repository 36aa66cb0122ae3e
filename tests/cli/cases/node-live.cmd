--scenario no-sm
1
$BIN node -n dynamo-demo --probe-timeout 60s
