// Rules about a prefill and a decode worker together: PAIR-001 .. PAIR-018.
#pragma once

#include "judge/pair_rule.hpp"

#include <array>

namespace di::judge::pairing {

using Answer = std::optional<PairFinding>;

Answer backend_mismatch(const PairView& pair);
Answer link_layer_mismatch(const PairView& pair);
Answer subnet_prefix_mismatch(const PairView& pair);
Answer pkey_mismatch(const PairView& pair);
Answer roce_version_mismatch(const PairView& pair);
Answer ucx_tls_disjoint(const PairView& pair);
Answer tcp_only(const PairView& pair);
Answer clique_mismatch(const PairView& pair);
Answer cuda_ipc_missing(const PairView& pair);
Answer worker_blocked(const PairView& pair);
Answer worker_unseen(const PairView& pair);
Answer rate_mismatch(const PairView& pair);
Answer same_node_efa(const PairView& pair);
Answer ucx_version_mismatch(const PairView& pair);
Answer nixl_version_mismatch(const PairView& pair);
Answer image_mismatch(const PairView& pair);
Answer env_mismatch(const PairView& pair);
Answer connector_mismatch(const PairView& pair);

constexpr RuleInfo info(std::string_view code,
                        std::string_view title,
                        std::string_view meaning,
                        std::string_view why,
                        std::string_view fix,
                        std::string_view source) {
    return {
        code, "pair", model::Capability::pair, Weight::deciding, title, meaning, why, fix, source};
}

inline constexpr std::array<PairRule, 18> k_rules = {{
    {info("PAIR-001",
          "One transfer backend",
          "Both roles must use the same NIXL backend, or Mooncake.",
          "UCX, LIBFABRIC and Mooncake do not talk to each other.",
          "Select one backend for both components.",
          "ai-dynamo/nixl; ai-dynamo/dynamo docs, EKS EFA page"),
     "backend-mismatch",
     backend_mismatch,
     Remedy::settings},
    {info("PAIR-002",
          "One link layer",
          "The usable ports of both workers must share a link layer.",
          "InfiniBand and Ethernet ports cannot exchange RDMA traffic, however well each looks.",
          "Place both roles on nodes of one fabric.",
          "openucx/ucx src/uct/ib/base/ib_iface.c, reachability"),
     "link-layer-mismatch",
     link_layer_mismatch},
    {info("PAIR-003",
          "One InfiniBand subnet",
          "Port 0's GID begins with the subnet prefix; both workers must share one.",
          "Two subnets have two subnet managers and no path without a router.",
          "Place both roles on one subnet; with an InfiniBand router set UCX_IB_IS_GLOBAL=y.",
          "openucx/ucx issues 4913 and 11426"),
     "subnet-prefix-mismatch",
     subnet_prefix_mismatch},
    {info(
         "PAIR-004",
         "One partition",
         "Both workers need a common partition, as full members (bit 15 set): a full and a limited "
         "member of it can talk as well, two limited ones cannot.",
         "Ports of different partitions do not see each other.",
         "Place both roles in one node pool, or have the subnet manager add them to one partition.",
         "InfiniBand Architecture Specification, P_Key; ai-dynamo/dynamo AKS profile"),
     "pkey-mismatch",
     pkey_mismatch},
    {info("PAIR-005",
          "One RoCE version",
          "The GIDs in use must be of one RoCE version.",
          "RoCE v1 and v2 packets are different on the wire.",
          "Remove UCX_IB_GID_INDEX, or point it at a RoCE v2 GID on both sides.",
          "kernel ABI sysfs-class-infiniband gid_attrs/types"),
     "roce-version-mismatch",
     roce_version_mismatch,
     Remedy::settings},
    {info("PAIR-006",
          "One NVLink clique",
          "Multi-node NVLink joins GPUs of equal cluster UUID and clique.",
          "Across cliques NVLink transfers fail, at times with empty answers instead of errors.",
          "Place both roles in one NVLink domain, or set UCX_CUDA_IPC_ENABLE_MNNVL=n and use RDMA.",
          "openucx/ucx src/uct/cuda/cuda_ipc; NVIDIA/nccl src/init.cc; ai-dynamo/nixl issue 1240"),
     "clique-mismatch",
     clique_mismatch},
    {info(
         "PAIR-007",
         "cuda_ipc on both sides",
         "One side rests on NVLink, the other leaves cuda_ipc out.",
         "NVLink between pods is UCX's cuda_ipc transport: both sides need it. A fast put does not "
         "show a fast get: reads have fallen to TCP while writes were fast.",
         "Add cuda_ipc to the UCX_TLS that lacks it.",
         "openucx/ucx src/uct/cuda/cuda_ipc; vllm-project/vllm issues 26382 and 52607; "
         "ai-dynamo/nixl issues 1097 and 1195"),
     "cuda-ipc-missing",
     cuda_ipc_missing,
     Remedy::settings},
    {info("PAIR-008",
          "A common transport in UCX_TLS",
          "Both lists must leave in one RDMA transport of the same name.",
          "Without one UCX cannot connect the two, or does so over TCP.",
          "Give both roles the same UCX_TLS, or remove it.",
          "openucx/ucx src/ucp/core/ucp_context.c"),
     "ucx-tls-disjoint",
     ucx_tls_disjoint,
     Remedy::settings},
    {info("PAIR-009",
          "More than TCP in UCX_TLS",
          "What UCX_TLS leaves in on both sides is TCP alone.",
          "KV moves, an order of magnitude too slow.",
          "Remove UCX_TLS, or list rc,cuda_copy,cuda_ipc.",
          "openucx/ucx src/ucp/core/ucp_context.c"),
     "tcp-only",
     tcp_only,
     Remedy::settings},
    {info("PAIR-010",
          "Both workers able",
          "A deciding row of one of the two workers has failed.",
          "A pair is as good as its weaker side.",
          "See the worker's own row.",
          "rows of the worker"),
     "worker-blocked",
     worker_blocked},
    {info("PAIR-011",
          "Both workers seen",
          "Devices, ports or environment of one of the two could not be read.",
          "What was not seen is not healthy.",
          "See the worker's own rows.",
          "rows of the worker"),
     "worker-unseen",
     worker_unseen},
    {info("PAIR-012",
          "Equal bandwidth",
          "Compares the rates of all usable ports together; per GPU where the GPU counts differ.",
          "The slower side bounds every transfer.",
          "Place both roles on like nodes, or grant the slower side more HCAs.",
          "NVIDIA/nccl issue 307"),
     "rate-mismatch",
     rate_mismatch},
    {info("PAIR-013",
          "EFA pair on one node",
          "Prefill and decode share a node on EFA.",
          "EFA transfers inside one node are known to fail with EAGAIN, and a fast result there "
          "says nothing about other nodes.",
          "Keep the roles on different nodes (pod anti-affinity).",
          "ai-dynamo/dynamo docs, EKS EFA page; ai-dynamo/dynamo issue 622"),
     "same-node-efa",
     same_node_efa},
    {info("PAIR-014",
          "One UCX version",
          "Compares the versions that ucx_info shows.",
          "Wire protocols differ between releases; mixed ones fall back or fail.",
          "Run one image in both roles.",
          "openucx/ucx release notes"),
     "ucx-version-mismatch",
     ucx_version_mismatch,
     Remedy::settings},
    {info("PAIR-015",
          "One NIXL version",
          "Compares the versions of NIXL.",
          "Handshakes of different releases are refused or wait without end.",
          "Run one image in both roles.",
          "ai-dynamo/dynamo issues 10027 and 12821; vllm-project/vllm pulls 42895 and 43523"),
     "nixl-version-mismatch",
     nixl_version_mismatch,
     Remedy::settings},
    {info("PAIR-016",
          "Equal settings",
          "Compares transport settings that both roles have set.",
          "Different schemes and switches on the two sides are seldom meant.",
          "Set them for the whole graph.",
          "openucx/ucx; ofiwg/libfabric"),
     "env-mismatch",
     env_mismatch,
     Remedy::settings},
    {info("PAIR-017",
          "One image",
          "Compares the images that the two pods' specs name.",
          "Engines of different builds may refuse each other's handshake or wait without end: the "
          "layout of KV blocks and the wire protocols belong to a release.",
          "Run one image in both roles.",
          "ai-dynamo/dynamo issues 10027 and 12821; vllm-project/vllm pull 29503"),
     "image-mismatch",
     image_mismatch,
     Remedy::settings},
    {info("PAIR-018",
          "One KV connector",
          "The connectors that both engines are told to use must have one in common.",
          "A connector talks to its own kind only: what one side sends the other never takes.",
          "Give both roles the same --kv-transfer-config or cache_transceiver_config.",
          "vllm-project/vllm vllm/distributed/kv_transfer; NVIDIA/TensorRT-LLM cacheTransceiver"),
     "connector-mismatch",
     connector_mismatch,
     Remedy::settings},
}};

} // namespace di::judge::pairing
