--scenario disagg-ib --fault exec-hang
3
$BIN check -n dynamo-demo --probe-timeout 1s
