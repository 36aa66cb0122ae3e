none
0
$BIN version
