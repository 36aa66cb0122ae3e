--scenario multinode-grove
0
$BIN check -n dynamo-demo --probe-timeout 60s
