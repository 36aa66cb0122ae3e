--scenario disagg-ib
0
$BIN check -n dynamo-demo --probe-timeout 60s -v8 2>log >/dev/null; code=$?
sed 's/^I[0-9]* [0-9:.]* *[0-9]* request\] //; s/ in [0-9]* milliseconds//; s/ 127[^ ]*//' log | grep -E '^(GET|POST)' | cut -c1-60 | sort | uniq -c
grep -c 'Bearer <masked>' log; grep -ciE 'bearer [^<]|planted|"env"' log; exit $code
