--scenario disagg-ib
4
$BIN check -n dynamo-demo --server https://127.0.0.1:1
