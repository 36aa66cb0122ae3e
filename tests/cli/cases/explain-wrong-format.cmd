none
2
$BIN check -o markdown
