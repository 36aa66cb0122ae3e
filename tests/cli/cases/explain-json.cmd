none
0
$BIN explain ib-008 -o json
