--scenario disagg-ib
3
$BIN check -n dynamo-demo --require traffic -o json | grep -A4 '"readiness"'; $BIN check -n dynamo-demo --require traffic >/dev/null
