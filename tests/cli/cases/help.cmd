none
0
$BIN
