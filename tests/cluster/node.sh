#!/bin/sh
# The first process of a node's own mount and PID namespace. Whatever the node starts or mounts is
# gone when this process is killed.
#   node.sh FOLDER CONTAINERD-CONFIG KUBELET [flags of kubelet]
folder=$1 config=$2
shift 2
set -e
mount --make-rprivate /
mkdir -p /run/containerd /var/lib/kubelet /var/log/pods /var/log/containers
mount -t tmpfs tmpfs /run/containerd
for place in /var/lib/kubelet /var/log/pods /var/log/containers; do
    mkdir -p "$folder/bound$place"
    mount --bind "$folder/bound$place" $place
done
mount --make-rshared /
# The kubelet sets these; the machine's own stay as they are.
for setting in vm/overcommit_memory kernel/panic kernel/panic_on_oops; do
    mkdir -p "$folder/bound/sysctl"
    cat /proc/sys/$setting >"$folder/bound/sysctl/${setting#*/}"
    mount --bind "$folder/bound/sysctl/${setting#*/}" /proc/sys/$setting
done
set +e
ulimit -n "$(ulimit -Hn)"
containerd --config "$config" >>"$folder/containerd.log" 2>&1 &
# A kubelet that ends is started again, unless it is to stay away.
while :; do
    if [ ! -e "$folder/no-kubelet" ]; then
        "$@" >>"$folder/kubelet.log" 2>&1 &
        echo $! >"$folder/kubelet.pid"
        wait $!
    fi
    sleep 0.2
done
