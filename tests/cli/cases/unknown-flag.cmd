none
2
$BIN check --contxt prod
