none
0
"$BIN" judge --help
