none
0
KUBECONFIG=/nowhere $BIN rbac -A --user auditor -o json
