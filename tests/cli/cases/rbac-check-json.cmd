--scenario disagg-ib --fault forbidden:list:dynamographdeployments
0
$BIN rbac --check -o json
