--scenario disagg-ib
0
$BIN plan -n dynamo-demo | sed '/^SCRIPT/q'
