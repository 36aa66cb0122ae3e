// The one script that every worker runs: POSIX sh (dash, bash, busybox), read-only, builtins first.
#pragma once

#include <string_view>

namespace di::probe {

/// Text for `sh -c TEXT NONCE`, the same for every pod and every run, so that an audit log can be
/// read against it. Encoded as a query parameter it leaves room for the rest of a request line of
/// 7,800 bytes. It writes no file, and no process outlives it; a tool has 4 s, all together 12 s.
///
/// It prints sections, framed as parse/sections.hpp says. Their lines:
///   host      path:value of kernel, driver, modules; lines of /proc/modules; signs
///   nodes     path:open or path:closed of device nodes, found by opening them; signs
///   rdma      path:value below /sys/class/infiniband; uverbsN/ibdev:device; signs
///   net       interfaces
///   engine    "PID" of the engine process, then the /proc entries of all that move KV; lines of
///   its status and limits; "maps:" and the
///             libraries it maps; device nodes that it holds open and "fds:". Both words stand only
///             when there was something to read. Code 1: there is no such process
///   environ   NAME=value of the engine, newlines in a value as \x01. Code 127: no `tr` to split it
///             with; 61: overwritten by a process title; any other but 0: not readable
///   ranks     NAME=value of all processes that move KV, one behind the other
///   session   NAME=value of the exec session, values cut at a newline
///   nixl      directories as signs, and the plugins in them
///   ibstat, ibv_devinfo, ucx_info, topo, nvlink, fabric
///             both streams of the tool. Code 127: not in the image; 125: not run, for want
///             of timeout or grep to bound it and to end what it leaves; 124: not run, no time
///             left; 137: killed at its limit
/// Signs: +path there, !path there but closed to us, -path absent, ?path could not be seen.
///
/// The nonce stands in the shell's argv, so a process of the same container can read it from /proc
/// and have markers of its own printed: it can lie about its own pod, and about no other.
std::string_view script();

} // namespace di::probe
