none
1
port() { for f in state:"$2" phys_state:5:\ LinkUp rate:400\ Gb/sec\ \(4X\ NDR\) link_layer:"$3" gids/0:fe80:0000:0000:0000:a288:c203:0045:1a30 pkeys/0:0xffff; do echo "/sys/class/infiniband/$1/ports/1/$f"; done; }
for pod in a-0 b-0; do mkdir -p pods/$pod/ib-devices pods/$pod/ib-sysfs pods/$pod/env; echo uverbs0 > pods/$pod/ib-devices/stdout; echo UCX_TLS=rc,cuda > pods/$pod/env/stdout; echo node-$pod > pods/$pod/node; done
port mlx5_0 '4: ACTIVE' InfiniBand > pods/a-0/ib-sysfs/stdout
port mlx5_0 '4: ACTIVE' Ethernet > pods/b-0/ib-sysfs/stdout
mkdir pods/b-0/ib-sysfs.old
"$BIN" judge --pods pods --role a-0=prefill --role b-0=decode
