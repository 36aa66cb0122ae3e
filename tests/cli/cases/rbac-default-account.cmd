none
0
KUBECONFIG=/nowhere $BIN rbac -n dynamo | head -12
