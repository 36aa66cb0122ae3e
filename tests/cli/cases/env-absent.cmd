none
2
"$BIN" env nowhere
