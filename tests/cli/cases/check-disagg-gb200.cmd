--scenario disagg-gb200
0
$BIN check -n dynamo-demo --probe-timeout 60s
