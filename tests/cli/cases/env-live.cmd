--scenario tcp-fallback
1
"$BIN" env -n dynamo-demo --probe-timeout 60s
