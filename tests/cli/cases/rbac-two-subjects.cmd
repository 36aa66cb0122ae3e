none
2
$BIN rbac --user auditor --group admins
