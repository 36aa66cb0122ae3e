--scenario disagg-ib --fault forbidden:get:pods/exec
4
ln -s "$BIN" plugin; PATH=/nowhere ./plugin check -n dynamo-demo >report; code=$?
while read -r line; do case $line in *EXEC-001*exec*) echo "$line" ;; esac; done <report; exit $code
