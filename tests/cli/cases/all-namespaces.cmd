--scenario disagg-ib
0
$BIN check -A
