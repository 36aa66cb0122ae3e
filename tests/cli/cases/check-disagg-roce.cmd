--scenario disagg-roce
0
$BIN check -n dynamo-demo --probe-timeout 60s
