none
2
$BIN explain IB-999
