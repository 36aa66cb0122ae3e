none
0
$BIN check --help
