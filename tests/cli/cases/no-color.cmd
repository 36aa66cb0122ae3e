--scenario tcp-fallback
1
NO_COLOR=1 CLICOLOR_FORCE=1 $BIN check -n dynamo-demo >plain; code=$?; grep -c "$(printf '\033')" plain; exit $code
