--scenario disagg-ib
0
$BIN rbac --check
