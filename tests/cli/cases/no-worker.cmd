--scenario disagg-ib
4
$BIN check -n default
