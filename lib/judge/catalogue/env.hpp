// Rules about the transport environment, by value: ENV-001 .. ENV-014, NCCL-001.
#pragma once

#include "judge/pod_rule.hpp"

#include <array>

namespace di::judge::env {

using model::Unseen;

const Unseen* needs_environment(const PodView& view);
const Unseen* needs_connector(const PodView& view);
std::optional<std::string> unless_side_channel(const PodView& view);
std::optional<std::string> unless_libfabric(const PodView& view);
std::optional<std::string> unless_mooncake(const PodView& view);
std::optional<std::string> unless_multi_node(const PodView& view);
Finding judge_tls(const PodView& view);
Finding judge_net_devices(const PodView& view);
Finding judge_gpu_direct(const PodView& view);
Finding judge_mnnvl(const PodView& view);
Finding judge_gid_index(const PodView& view);
Finding judge_rendezvous(const PodView& view);
Finding judge_side_channel(const PodView& view);
Finding judge_connector(const PodView& view);
Finding judge_provider(const PodView& view);
Finding judge_device_rdma(const PodView& view);
Finding judge_forced_tcp(const PodView& view);
Finding judge_mooncake_staging(const PodView& view);
Finding judge_protocols(const PodView& view);
Finding judge_ignored(const PodView& view);
Finding judge_nccl(const PodView& view);

inline constexpr std::string_view k_show_env =
    "tr '\\0' '\\n' </proc/1/environ | grep -E '^(UCX|NIXL|FI|MC|NCCL|VLLM_NIXL|SGLANG|TRTLLM)_'";

inline constexpr std::array<PodRule, 15> k_rules = {{
    {{"ENV-001",
      "env",
      model::Capability::transport,
      Weight::deciding,
      "UCX_TLS",
      "Unset is good. A list must leave in an RDMA transport (rc, dc, ib) and cuda_copy or cuda; a "
      "list without RDMA is right only inside one multi-node NVLink clique.",
      "UCX drops what the list leaves out without a word: KV then moves over TCP, or GPU memory is "
      "taken for host memory. A misspelt name is dropped too.",
      "Remove UCX_TLS, or list rc,cuda_copy,cuda_ipc.",
      "openucx/ucx src/ucp/core/ucp_context.c; ai-dynamo/nixl issues 1110 and 1614 (GB200)"},
     k_show_env,
     unless_ucx,
     needs_environment,
     judge_tls},
    {{"ENV-002",
      "env",
      model::Capability::none,
      Weight::deciding,
      "UCX_NET_DEVICES",
      "Unset is good: UCX takes every device. A list must name HCAs that exist, with their port.",
      "A list of network interfaces alone shuts RDMA out. A bare HCA name matches nothing before "
      "UCX 1.21, a range nothing before 1.22.",
      "Remove it, or list the compute HCAs as mlx5_0:1,mlx5_1:1.",
      "openucx/ucx src/ucp/core/ucp_context.c"},
     k_show_env,
     unless_ucx,
     needs_environment,
     judge_net_devices},
    {{"ENV-003",
      "env",
      model::Capability::none,
      Weight::deciding,
      "UCX_IB_GPU_DIRECT_RDMA",
      "Unset, try and y are good; n switches GPUDirect RDMA off.",
      "Each KV block is then copied through host memory.",
      "Remove UCX_IB_GPU_DIRECT_RDMA.",
      "openucx/ucx src/uct/ib/base/ib_md.c"},
     k_show_env,
     unless_ucx,
     needs_environment,
     judge_gpu_direct},
    {{"ENV-004",
      "env",
      model::Capability::none,
      Weight::deciding,
      "UCX_CUDA_IPC_ENABLE_MNNVL",
      "Unset and try are good; y asks for multi-node NVLink and n forbids it.",
      "y means something inside one NVLink clique only; n leaves a deployment that has no RDMA "
      "with TCP.",
      "Set it to y on GB200-class racks, remove it elsewhere.",
      "openucx/ucx src/uct/cuda/cuda_ipc"},
     k_show_env,
     unless_ucx,
     needs_environment,
     judge_mnnvl},
    {{"ENV-005",
      "env",
      model::Capability::none,
      Weight::deciding,
      "UCX_IB_GID_INDEX",
      "Unset and auto are good. A fixed index must hold a routable RoCE v2 GID on every port used.",
      "An index that is right on one node may be empty or RoCE v1 on another: connecting fails.",
      "Remove it and let UCX choose.",
      "openucx/ucx src/uct/ib/base/ib_device.c; NVIDIA/nccl issue 1573"},
     k_show_env,
     unless_ucx,
     needs_environment,
     judge_gid_index},
    {{"ENV-006",
      "env",
      model::Capability::none,
      Weight::deciding,
      "UCX rendezvous settings",
      "UCX_RNDV_SCHEME auto, get_zcopy and put_zcopy are good; am and the pipeline schemes stage "
      "data.",
      "A pinned scheme counts where UCX_RNDV_THRESH is set as well; NIXL sends by put and get "
      "otherwise.",
      "Remove the pinned scheme.",
      "openucx/ucx src/ucp/core/ucp_context.c; ai-dynamo/nixl src/plugins/ucx/ucx_utils.cpp"},
     k_show_env,
     unless_ucx,
     needs_environment,
     judge_rendezvous},
    {{"ENV-014",
      "env",
      model::Capability::none,
      Weight::deciding,
      "UCX_PROTO_ENABLE",
      "Unset and y are good; n gives up protocol selection.",
      "NIXL rests on UCX's protocol selection for reads and writes of GPU memory.",
      "Remove UCX_PROTO_ENABLE.",
      "openucx/ucx src/ucp/core/ucp_context.c"},
     k_show_env,
     unless_ucx,
     needs_environment,
     judge_protocols},
    {{"ENV-007",
      "env",
      model::Capability::none,
      Weight::deciding,
      "VLLM_NIXL_SIDE_CHANNEL_HOST",
      "The address that vLLM advertises for NIXL's handshake must be the pod's own.",
      "Peers on other nodes that are told to connect to localhost never complete the handshake.",
      "Take it from status.podIP, or remove it where dynamo.vllm fills it in.",
      "vllm-project/vllm nixl connector; ai-dynamo/dynamo components/src/dynamo/vllm"},
     k_show_env,
     unless_side_channel,
     needs_environment,
     judge_side_channel},
    {{"ENV-008",
      "connector",
      model::Capability::none,
      Weight::deciding,
      "KV connector of the engine",
      "The engine must be told to move KV (--kv-transfer-config, "
      "--disaggregation-transfer-backend, cache_transceiver_config), from GPU memory.",
      "A disaggregated engine without a connector moves nothing; kv_buffer_device cpu stages each "
      "block; the recompute policy hides failed transfers as slowness.",
      "Give both roles the same connector.",
      "vllm-project/vllm nixl connector; sgl-project/sglang; NVIDIA/TensorRT-LLM cacheTransceiver"},
     "tr '\\0' ' ' </proc/1/cmdline",
     unless_kv_moves,
     needs_connector,
     judge_connector},
    {{"ENV-009",
      "env",
      model::Capability::transport,
      Weight::deciding,
      "FI_PROVIDER",
      "With NIXL's LIBFABRIC backend it should be efa (or cxi).",
      "Without it libfabric takes cxi, then efa, then TCP, then sockets, and says nothing of it.",
      "Set FI_PROVIDER=efa.",
      "ofiwg/libfabric man/fi_efa.7.md; ai-dynamo/nixl libfabric_common.cpp"},
     k_show_env,
     unless_libfabric,
     needs_environment,
     judge_provider},
    {{"ENV-012",
      "env",
      model::Capability::none,
      Weight::deciding,
      "FI_EFA_USE_DEVICE_RDMA",
      "Unset and 1 are good; 0 switches the device's RDMA off.",
      "All reads and writes are then emulated by messages.",
      "Remove it, or set it to 1.",
      "ofiwg/libfabric man/fi_efa.7.md"},
     k_show_env,
     unless_libfabric,
     needs_environment,
     judge_device_rdma},
    {{"ENV-010",
      "env",
      model::Capability::transport,
      Weight::deciding,
      "MC_FORCE_TCP",
      "Must not be set, to any value.",
      "Mooncake reads only whether it is set: KV then stays on TCP.",
      "Remove the variable.",
      "kvcache-ai/Mooncake docs/source/design/transfer-engine"},
     k_show_env,
     unless_mooncake,
     needs_environment,
     judge_forced_tcp},
    {{"ENV-013",
      "env",
      model::Capability::none,
      Weight::deciding,
      "MC_DISABLE_GPU_DIRECT_RDMA",
      "Must not be set.",
      "Without GPUDirect each block is staged in host memory.",
      "Remove the variable.",
      "kvcache-ai/Mooncake mooncake-transfer-engine"},
     k_show_env,
     unless_mooncake,
     needs_environment,
     judge_mooncake_staging},
    {{"ENV-011",
      "env",
      model::Capability::none,
      Weight::advisory,
      "Variables without effect",
      "Names variables that the engine or library in use does not read.",
      "They suggest a choice that nothing acts on.",
      "Remove them, and set what is read instead.",
      "openucx/ucx; vllm-project/vllm; ai-dynamo/nixl"},
     k_show_env,
     unless_kv_moves,
     needs_environment,
     judge_ignored},
    {{"NCCL-001",
      "env",
      model::Capability::none,
      Weight::advisory,
      "NCCL settings of a multi-node group",
      "Names NCCL settings that keep collectives off RDMA or NVLink.",
      "NCCL carries tensor and pipeline parallelism between the ranks of one worker. It never "
      "carries KV between the roles.",
      "Remove the variable.",
      "NVIDIA/nccl src/transport/net_ib; NCCL environment documentation; ai-dynamo/nixl issues 909 "
      "and 1656; ai-dynamo/dynamo issue 4185 (a fast NCCL beside a slow KV path)"},
     k_show_env,
     unless_multi_node,
     needs_environment,
     judge_nccl},
}};

} // namespace di::judge::env
