--scenario disagg-ib
4
$BIN check -n dynamo-demo -l app=nothing
