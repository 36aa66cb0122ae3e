// Rules about the probe itself, the engine process and its libraries: EXEC, UCX, NIXL.
#pragma once

#include "judge/pod_rule.hpp"

#include <array>

namespace di::judge::engine {

using model::Unseen;

const Unseen* needs_exec(const PodView& view);
const Unseen* needs_engine(const PodView& view);
const Unseen* needs_libraries(const PodView& view);
const Unseen* needs_plugin_evidence(const PodView& view);
const Unseen* needs_open_devices(const PodView& view);
const Unseen* needs_ucx_build(const PodView& view);
const Unseen* needs_memlock(const PodView& view);
Finding judge_exec(const PodView& view);
Finding judge_engine(const PodView& view);
Finding judge_open_devices(const PodView& view);
Finding judge_memlock(const PodView& view);
Finding judge_ucx_build(const PodView& view);
Finding judge_plugins(const PodView& view);
Finding judge_ucx_copies(const PodView& view);

inline constexpr std::array<PodRule, 7> k_rules = {{
    {{"EXEC-001",
      "exec",
      model::Capability::coverage,
      Weight::deciding,
      "The probe ran",
      "One read-only shell script is run in the worker's container. This row says whether it ran "
      "to its end.",
      "What was not seen is not healthy: the verdict stays inconclusive.",
      "Allow get and create on pods/exec (the plan command lists the permissions), or look at the "
      "container by hand.",
      "Kubernetes pods/exec subresource"},
     "echo alive",
     always_applies,
     needs_exec,
     judge_exec},
    {{"UCX-002",
      "engine",
      model::Capability::none,
      Weight::advisory,
      "The engine process",
      "Looks for the process that has mapped UCX, NIXL or another transfer library, and for its "
      "environment.",
      "Its environment, limits and libraries are the truth; those of an exec session may differ.",
      "Wait until the engine has loaded; where its /proc entry is closed, run the probe as the "
      "engine's user.",
      "proc(5)"},
     "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline; echo; done",
     unless_kv_moves,
     needs_engine,
     judge_engine},
    {{"UCX-004",
      "memlock",
      model::Capability::memlock,
      Weight::deciding,
      "Locked memory",
      "The engine's limit of locked memory must be unlimited, or CAP_IPC_LOCK effective. Under "
      "1 GiB registration of KV blocks fails; above, it depends on their size.",
      "RDMA registration locks memory. The limit of an exec session, or a capability that a "
      "non-root user does not hold, says nothing.",
      "Add the capability IPC_LOCK for a root user, or let containerd start with unlimited "
      "memlock.",
      "openucx/ucx issues 6264 and 8229; getrlimit(2), capabilities(7)"},
     "grep 'locked memory' /proc/1/limits; grep CapEff /proc/1/status",
     unless_network,
     needs_memlock,
     judge_memlock},
    {{"NIXL-001",
      "nixl-plugins",
      model::Capability::library,
      Weight::deciding,
      "Transfer library loaded",
      "The engine process must have mapped NIXL and the plugin of the backend that its settings "
      "select (or Mooncake's transfer engine). Files on disk prove nothing.",
      "Without its plugin the engine has no way to move KV, or quietly uses another one.",
      "Read the engine's log; unset NIXL_PLUGIN_DIR or point it at a directory that holds the "
      "plugin.",
      "ai-dynamo/nixl src/core/nixl_plugin_manager.cpp"},
     "grep -hoE '/[^ ]*lib(nixl|plugin_|ucp|transfer_engine)[^ ]*' /proc/[0-9]*/maps | sort -u",
     unless_kv_moves,
     needs_plugin_evidence,
     judge_plugins},
    {{"NIXL-002",
      "ucx-copies",
      model::Capability::none,
      Weight::deciding,
      "One copy of UCX",
      "The engine should map one libucp.",
      "Two copies (a wheel's and the image's) mix their state: GPU memory is taken for host "
      "memory, and ucx_info may describe the copy that is not used.",
      "Remove one copy, or set LD_LIBRARY_PATH so that one wins.",
      "ai-dynamo/nixl issues 166, 334, 1385, 1393, 1617 and 1628; ai-dynamo/dynamo issue 418"},
     "grep -hoE '/[^ ]*libucp[^ ]*' /proc/[0-9]*/maps | sort -u",
     unless_ucx,
     needs_libraries,
     judge_ucx_copies},
    {{"UCX-001",
      "ucx-version",
      model::Capability::none,
      Weight::advisory,
      "How UCX was built",
      "ucx_info -v should name --with-cuda and --with-verbs.",
      "UCX built without verbs leaves RDMA out without a word. The engine may use another copy "
      "than the one ucx_info belongs to, so this only advises.",
      "Use an image whose UCX has both.",
      "openucx/ucx src/tools/info/version_info.c; ai-dynamo/dynamo issue 1314; "
      "PrimeIntellect-ai/prime-rl issue 2761"},
     "ucx_info -v",
     unless_ucx,
     needs_ucx_build,
     judge_ucx_build},
    {{"UCX-003",
      "engine-devices",
      model::Capability::none,
      Weight::advisory,
      "Devices that the engine holds open",
      "Looks for /dev/infiniband/uverbs* among the engine's open files.",
      "An open HCA shows that the RDMA transport came up in the engine. None open, with the "
      "library loaded, points at TCP. An open HCA does not show that the payload takes it: "
      "metadata "
      "and payload may go different ways.",
      "Compare UCX_TLS, UCX_NET_DEVICES and the device nodes; read the engine's log.",
      "proc(5); llm-d/llm-d issues 2370 and 2371"},
     "ls -l /proc/[0-9]*/fd 2>/dev/null | grep -E 'infiniband|gdrdrv'",
     unless_network,
     needs_open_devices,
     judge_open_devices},
}};

} // namespace di::judge::engine
