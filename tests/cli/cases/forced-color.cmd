--scenario tcp-fallback
0
CLICOLOR_FORCE=1 $BIN check -n dynamo-demo | grep -c "$(printf '\033\[31mfail')"
