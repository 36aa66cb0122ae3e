--scenario disagg-ib
0
$BIN check -n dynamo-demo -o json | head -c 100 >/dev/null
