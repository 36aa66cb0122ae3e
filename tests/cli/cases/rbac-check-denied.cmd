--scenario disagg-ib --fault forbidden:create:pods/exec
1
$BIN rbac --check -n dynamo-demo
