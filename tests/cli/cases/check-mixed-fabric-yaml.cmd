--scenario mixed-fabric
1
$BIN check -n dynamo-demo -o yaml
