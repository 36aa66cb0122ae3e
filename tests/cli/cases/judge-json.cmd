none
3
printf '' > out; printf 'sh: 1: lsmod: not found\ncommand terminated with exit code 1\n' > err
"$BIN" judge gpudirect-modules --stdout out --stderr err -o json
