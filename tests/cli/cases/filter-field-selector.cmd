--scenario disagg-ib
3
node=$($BIN plan -n dynamo-demo -o yaml | sed -n 's/^    node: //p' | head -1)
$BIN check -n dynamo-demo --probe-timeout 60s --field-selector spec.nodeName=$node >report; code=$?
tail -1 report; exit $code
