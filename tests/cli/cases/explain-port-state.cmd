none
0
$BIN explain ib-002
