--scenario disagg-ib --fault forbidden:get:pods/exec
4
# Only create is granted: kubectl's POST is the way in. This kubectl shows what it was asked, and that no secret was.
mkdir bin; cat >bin/kubectl <<'SCRIPT'
#!/bin/sh
case $* in *dynamo-interconnect*) script=yes ;; esac
echo "websockets=$KUBECTL_REMOTE_COMMAND_WEBSOCKETS $1 $2 $3 $4 $5 $6 $8 $9 script=$script" >>asked
echo 'Error from server (Forbidden): not today' >&2
exit 1
SCRIPT
chmod +x bin/kubectl
PATH=$PWD/bin:$PATH $BIN check -n dynamo-demo --context kubesim >report; code=$?
sort -u asked; grep 'EXEC-001 *exec' report; exit $code
