none
2
$BIN -n prod plan -o json
