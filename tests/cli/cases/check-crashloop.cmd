--scenario crashloop
3
$BIN check -n dynamo-demo --probe-timeout 60s
