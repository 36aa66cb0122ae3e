--scenario disagg-ib --fault forbidden:namespaces
4
$BIN check -n nowhere
