none
2
$BIN check -o xml
