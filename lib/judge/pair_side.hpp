// What of one worker matters to its partners. Workers that agree in all of it form one class, so
// that thousands of pods are compared by a handful of comparisons.
#pragma once

#include "judge/pod_rule.hpp"
#include "model/observation.hpp"
#include "model/report.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace di::judge {

struct PairSide {
    PathKind kind = PathKind::ucx;
    Switch mnnvl = Switch::unset;
    std::optional<model::SkipReason> unseen; ///< why this side cannot be judged
    bool efa = false;
    bool routed = false; ///< UCX_IB_IS_GLOBAL is on: subnets may differ
    bool cuda_ipc = true;
    int gpus = 0;
    double gbps = 0; ///< all usable ports together; 0 when not shown
    std::string plugin;
    std::string chosen_by; ///< the setting that chose the transfer backend; empty for a default
    std::string unseen_what;
    std::string blocked; ///< "IB-002: <detail>" of the first failed deciding row; empty if none
    std::string slowed;  ///< code of the first deciding warning; empty if none

    std::set<model::LinkLayer> layers;  ///< of the usable ports
    std::set<std::string> prefixes;     ///< subnet prefixes of InfiniBand ports
    std::set<std::uint16_t> pkeys;      ///< partitions of full membership, without the member bit
    std::set<std::uint16_t> limited;    ///< partitions of limited membership
    std::set<model::GidType> gid_types; ///< of usable RoCE ports, at the index in use
    std::vector<std::string> tls;       ///< UCX_TLS as given; empty when unset
    std::set<std::string> networks;     ///< transports to another node that UCX_TLS leaves in
    std::set<std::string> cliques;      ///< "cluster-uuid/clique" of its GPUs
    std::set<std::string> connectors;   ///< that the engine's settings name; empty: they do not

    std::string image; ///< of the container, as the pod's spec names it
    std::string ucx_version;
    std::string nixl_version;
    std::map<std::string, std::string> settings; ///< those that both roles should agree on

    // NOLINTNEXTLINE(modernize-use-nullptr): version 14 takes the generated code for ours
    auto operator<=>(const PairSide&) const = default;
};

/// `rows` are the worker's own, already judged.
PairSide pair_side(const PodView& view, const std::vector<model::Check>& rows);

/// Can this side put KV on RDMA as far as UCX_TLS goes?
bool allows_rdma(const PairSide& side);

} // namespace di::judge
