--scenario disagg-ib
0
$BIN plan -n dynamo-demo -o json | grep -v '"script":'
