none
4
mkdir pods; "$BIN" judge --pods pods; echo $?; "$BIN" judge --pods missing; echo $?; mkdir -p pods/p; "$BIN" judge --pods pods --role q=decode; echo $?; rmdir pods/p; "$BIN" judge --pods pods
