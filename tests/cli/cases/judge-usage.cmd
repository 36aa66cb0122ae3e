none
2
"$BIN" judge ib-lnk; "$BIN" judge; "$BIN" judge ib-link --pods .; "$BIN" judge --pods . --rc 1; "$BIN" judge memlock --rc x
"$BIN" judge --pods . --role p=frontend; "$BIN" judge memlock --role p=prefill
"$BIN" judge memlock --stdout /nonexistent
