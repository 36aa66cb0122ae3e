none
4
KUBECONFIG=/nonexistent $BIN check
