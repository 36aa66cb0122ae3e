--scenario disagg-ib
4
$BIN check --context nope
