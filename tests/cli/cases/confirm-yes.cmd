--scenario disagg-ib
0
$BIN check -n dynamo-demo --confirm --yes --probe-timeout 60s 2>said | tail -4 | head -1; grep -A4 ^COST said >&2
