none
0
$BIN explain --list
