none
4
mkdir empty && "$BIN" env empty
