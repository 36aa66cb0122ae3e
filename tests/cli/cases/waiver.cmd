--scenario tcp-fallback
0
$BIN check -n dynamo-demo --skip ENV-001=testing -o json | grep waived | sort | uniq -c
