--scenario disagg-ib
5
$BIN check -n dynamo-demo --confirm 2>said; code=$?; tail -2 said >&2; exit $code
