--scenario disagg-ib
0
$BIN check -n dynamo-demo --context kubesim --probe-timeout 60s >report; code=$?
grep -c '^  kubectl --context kubesim -n dynamo-demo exec' report; exit $code
