none
0
KUBECONFIG=/nowhere $BIN rbac -n dynamo --service-account ci:checker
