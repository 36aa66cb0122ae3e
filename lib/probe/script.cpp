#include "probe/script.hpp"

#include "model/env_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace di::probe {
namespace {

/// Readable source; what is run has no indentation and no comment lines.
constexpr std::string_view k_source = R"sh(
: dynamo-interconnect
# Complaints about what is not there are the rule, not the exception. 4: the real stdout, 5: stdin,
# 6: stderr, kept since containerd closes stdin as soon as one of the others is closed.
exec 4>&1 5<&0 6>&2 </dev/null 2>/dev/null
# A client that gives up, or vanishes, closes stdin: then nothing of this may stay behind, whatever
# hangs. Nothing is ever sent. A stdin that is no pipe says nothing about the client.
W=
if [ -p /proc/$$/fd/5 ]; then
  (read -r l; kill -9 -$$) <&5 >&- 4>&- 6>&- &
  W=$!
fi
cd /
N='
' P= E= L= Q= b=0
V='/dev/infiniband/uverbs* /dev/gdrdrv /dev/nvidia-caps-imex*/*'
p() { printf '%s\n' "$*"; }
# That a busybox has an applet does not mean that it can start it.
H=$(p x|head -c1) G=$(p x|grep x)
# c: the first bytes of stdin.
c() {
  if [ $H ]; then
    head -c 65536
    return
  fi
  m=65536 e='\n'
  while [ $m -gt 0 ] && [ $e ]; do
    IFS= read -r l || e=
    printf "%.${m}s$e" "$l"
    m=$((m-${#l}-1))
  done
}
# s NAME [COMMAND]: one section. Exit codes travel beside the text, so that no cap can eat them.
s() {
  p "$N$0<$1"
  n=$1
  shift
  x=$({ { ${@:-$n}; p $? >&3; } | c 3>&- >&4 || p $? >&3; } 3>&1)
  p "$N$0>$n" $x
}
# r FILE...: path:value of the first line.
r() {
  for f; do
    v=
    read -r v <$f
    [ "$v" ] && p $f:$v
  done
}
# g PATTERN [PATTERN] [PREFIX]: matching lines of stdin.
g() {
  while read -r l || [ "$l" ]; do
    case $l in $1|$2) p "$3$l" ;; esac
  done
}
# e PATH...: signs. Absence is evidence only below a directory that we may search.
e() {
  for f; do
    v=?
    [ -x ${f%/*} ] && v=-
    [ -e $f ] && v=! && [ -r $f ] && v=+
    p $v$f
  done
}
# z FILE: path:value, unless the value is all zeros.
z() {
  v=
  read -r v <$1
  case $v in *[!0x:]*) p $1:$v ;; *) false ;; esac
}
# now: seconds in u, from some past moment.
now() {
  u=0
  IFS=. read -r u x </proc/uptime
}
host() {
  m=/sys/module
  r /proc/sys/kernel/osrelease /proc/driver/nvidia/version $m/nvidia/version /proc/modules
  g *peer* </proc/modules
  e $m/nvidia_peermem $m/nv_peer_mem $m/efa_nv_peermem $m/gdrdrv
  e /sys/kernel/mm/memory_peers/nv_mem*
}
# Opening is the only proof: a device cgroup refuses where the mode allows. It starts nothing.
nodes() {
  e /dev/infiniband /dev/gdrdrv
  for f in $V; do
    v=closed
    [ -c $f ] && (: <>$f) && v=open
    [ -e $f ] && p $f:$v
  done
}
rdma() {
  m=/sys/class/infiniband
  e $m
  cd $m || return
  for d in *; do
    p +$d
    g DRIVER* PCI_S* $d/uevent: <$d/device/uevent
    r $d/device/numa_node
    for q in $d/ports/*; do
      for x in state phys_state rate link_layer lid sm_lid gids/0; do
        r $q/$x
      done
      for x in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        z $q/gids/$x && r $q/gid_attrs/types/$x $q/gid_attrs/ndevs/$x
        z $q/pkeys/$x
      done
    done
  done
  cd ${m}_verbs && r */ibdev
}
net() {
  while IFS=: read -r x v; do
    [ "$v" ] && p $x
  done </proc/net/dev
}
# maps FILE: libraries of the transfer stack. grep is for speed: read takes a byte at a time.
maps() {
  if [ $G ]; then
    grep -oE '/.*/lib(uc[pt]|nixl|plugin_|fabric|ibv|mlx5|efa|cuda.so|gdr|transf).*' $1
  else
    g '*/lib*' <$1
  fi
}
# t: the environment of process $d, a variable a line.
t() {
  tr '\n\0' '\1\n' <$d/environ
}
# The engine is the process with the best evidence: NIXL plugin mapped, transfer library mapped,
# or the name of an engine in its arguments. Not this probe, nor another that runs beside it, nor
# their tools, nor a launch script, nor a process of another container. M only spares forks.
find() {
  M=$G$(grep -lE 'lib(uc|ni|pl|fa|tr)' /proc/[0-9]*/maps)
  for d in /proc/[0-9]*; do
    l= v= t= q=0
    read -r l <$d/cmdline
    [ -e $d/root ] && ! [ $d/root -ef / ] && continue
    case $l in
      ''|*o-interc*|*ucx_info*) continue ;;
      *vllm*|*VLLM*|*sglang*|*trtllm*) q=1 ;;
    esac
    case $M in ''|*$d/maps*) t=$(maps $d/maps) ;; esac
    case $t in */libucp*|*/libnixl*|*/libfab*|*/libtransf*) q=2 Q=$Q\ $d ;; esac
    case $t in */libplugin_*) q=3 ;; esac
    read -r v <$d/comm
    case $q$v in 0*|1*sh) continue ;; esac
    [ $q -gt $b ] && b=$q P=$d L=$t
  done
  # A process title (setproctitle) overwrites the environ behind it: then ask the parent.
  d=$P
  while
    v=
    read -r v <$d/comm
    case $v in *sh) false ;; esac
  do
    E=$(t)
    X=$?
    case $X$E in [!0]*|*[A-Z]=*) break ;; esac
    X=61
    x=$(g PPid* <$d/status)
    d=/proc/${x#*:?}
  done
}
engine() {
  [ $P ] || return
  p ${P#/proc/} $Q
  g Uid* CapE* <$P/status
  g Max?lock* <$P/limits
  true <$P/maps && p "maps:$N$L"
  v=
  for f in $P/fd/*; do
    [ -e $f ] && v=fds:
    [ -c $f ] && for x in $V; do
      [ $f -ef $x ] && p $x
    done
  done
  p $v
}
# a: the lines of stdin that may leave the pod.
a() {
  while IFS= read -r l; do
    case ${l%%=*} in
      @DENIED@) ;;
      @ALLOWED@) p "$l" ;;
    esac
  done
}
environ() {
  p "$E" | a
  return $X
}
# Every process of the transfer stack: ranks may be given settings of their own.
ranks() {
  for d in $Q; do
    t
  done | a
}
# Names are taken from the listing and values from the shell, so that no value can pose as a name.
session() {
  export -p | while read -r x l; do
    l=${l#-x }
    l=${l%%=*}
    case $l in *[!A-Z0-9_]*) continue ;; esac
    eval "v=\${$l+=\$$l}"
    [ "$v" ] && p "$l${v%%$N*}"
  done | a
}
# dirs PATH...: directories that exist, and the plugins in them.
dirs() {
  for d; do
    [ -d $d ] && p +$d
    for f in $d/libplugin_*.so; do
      [ -e $f ] && p $f
    done
  done
}
nixl() {
  y=$(p "$E" | g NIXL_PLUGIN_DIR=*)
  y=${y#*=}
  y=${y:-$NIXL_PLUGIN_DIR}
  [ $y ] && e $y
  x=/opt/nvidia/nvda_nixl/lib
  dirs $y $x*/plugins $x/*/plugins /usr/local/lib/p*/*/nixl*-info /opt/dynamo/venv/lib/p*/*/nixl*-info
  p "$L" | while read -r l; do
    l=/${l#*/}
    q=${l%/*}
    [ "$q" = "$x" ] || case $l in
      */libnixl*) dirs $q/plugins ${q%/*}/nixl*-info ;;
      */libplugin_*) dirs $q ;;
    esac
    x=$q
  done
}
# tool COMMAND: within 4 s and its share of all 12 s. DI marks what it starts and may leave running:
# that would outlive us, and hold the pipe open meanwhile.
tool() {
  x=$(command -v $1) || return 127
  [ $G ] && x=$(command -v timeout) || return 125
  now
  u=$((D-u))
  [ $u -gt 4 ] && u=4
  [ $u -gt 0 ] || return 124
  DI=$0 timeout -s KILL $u $@ 2>&1 3>&- 4>&- 6>&-
  x=$?
  for f in $(grep -l DI=$0 /proc/[0-9]*/environ); do
    f=${f%/*}
    kill -9 ${f##*/}
  done
  return $x
}
# nvidia-smi -q is long: only top lines, product names and Fabric sections leave the pod.
fabric() {
  { tool nvidia-smi -q; p $? >&3; } | while IFS= read -r l; do
    case $l in '    Fabric'*) f=1 ;; '    '[!\ ]*) f= ;; esac
    case $f$l in 1*|[!\ ]*|*Product\ N*) p "$l" ;; esac
  done
}
find
for n in host nodes rdma net engine environ ranks session nixl; do
  s $n
done
now
D=$((u+12))
s ibstat tool ibstat
s ibv_devinfo tool ibv_devinfo
s ucx_info tool ucx_info -v
s topo tool nvidia-smi topo -m
s nvlink tool nvidia-smi nvlink -s
s fabric
[ $W ] && kill $W && wait $W
p "$N$0."
)sh";

void replace(std::string& text, std::string_view mark, const std::string& value) {
    text.replace(text.find(mark), mark.size(), value);
}

/// The source without what the shell does not need: request lines are short.
std::string condense(std::string_view source) {
    std::string text;
    while (!source.empty()) {
        const auto line = source.substr(0, source.find('\n'));
        source.remove_prefix(std::min(line.size() + 1, source.size()));
        const auto start = std::min(line.find_first_not_of(' '), line.size());
        const auto words = line.substr(start);
        if (!words.empty() && words.front() != '#') {
            text.append(words).push_back('\n');
        }
    }
    return text;
}

std::string make_script() {
    auto text = condense(k_source);
    text.pop_back(); // the last newline
    replace(text, "@DENIED@", fmt::format("{}", fmt::join(model::k_env_denied, "|")));
    replace(text, "@ALLOWED@", fmt::format("{}", fmt::join(model::k_env_allowed, "|")));
    return text;
}

} // namespace

std::string_view script() {
    static const std::string text = make_script();
    return text;
}

} // namespace di::probe
