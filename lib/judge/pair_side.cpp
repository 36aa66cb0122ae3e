#include "judge/pair_side.hpp"

#include "base/strings.hpp"
#include "judge/hcas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace di::judge {
namespace {

using model::LinkLayer;
using model::Unseen;

constexpr std::uint16_t k_full_member = 0x8000; // InfiniBand spec, P_Key table

/// Settings whose difference between the roles is seldom meant. UCX_TLS and UCX_NET_DEVICES are
/// compared by meaning, elsewhere.
constexpr std::array<std::string_view, 6> k_shared_settings = {"UCX_IB_GPU_DIRECT_RDMA",
                                                               "UCX_CUDA_IPC_ENABLE_MNNVL",
                                                               "UCX_RNDV_SCHEME",
                                                               "UCX_RNDV_THRESH",
                                                               "UCX_PROTO_ENABLE",
                                                               "FI_PROVIDER"};

void note_unseen(PairSide& side, const Unseen* unseen, std::string_view what) {
    if (unseen != nullptr && !side.unseen) {
        side.unseen = unseen->reason;
        side.unseen_what = unseen->why.empty() ? std::string(what)
                           : what.empty()      ? unseen->why
                                               : fmt::format("{}: {}", what, unseen->why);
    }
}

/// What must have been seen before a pair may be called fine.
void note_all_unseen(PairSide& side, const PodView& view) {
    const auto& seen = view.seen;
    note_unseen(side, seen.environment.unseen(), seen.exec ? "environment" : "");
    if (seen.environment && seen.environment->source == model::EnvSource::spec) {
        static const Unseen k_spec_only{model::SkipReason::unreadable,
                                        "only the pod's spec is known"};
        note_unseen(side, &k_spec_only, "environment");
    }
    if (side.kind == PathKind::nvlink) {
        note_unseen(side, seen.fabric.unseen(), "NVLink fabric");
        return;
    }
    if (openable_nodes(seen).empty()) {
        note_unseen(side, seen.verbs_nodes.unseen(), "device nodes");
    }
    note_unseen(side, port_source(seen).unseen(), "ports");
}

void take_gid_types(PairSide& side, const PortRef& port, const PodView& view) {
    const auto* pinned = setting(view.worker, view.seen, "UCX_IB_GID_INDEX");
    const auto index = pinned == nullptr ? std::nullopt : parse_unsigned(trim(*pinned));
    for (const auto& gid : port.port->gids) {
        const bool counts =
            index ? static_cast<std::uint64_t>(gid.index) == *index : lives_in_pod(gid, view.seen);
        if (counts && gid.type != model::GidType::unknown) {
            side.gid_types.insert(gid.type);
        }
    }
}

void take_port(PairSide& side, const PortRef& port, const PodView& view) {
    side.layers.insert(port.port->link_layer);
    side.gbps += port.port->rate_gbps.value_or(0);
    side.efa = side.efa || is_efa(*port.device);
    if (port.port->link_layer == LinkLayer::ethernet) {
        take_gid_types(side, port, view);
    }
    if (port.port->link_layer != LinkLayer::infiniband) {
        return;
    }
    if (auto prefix = subnet_prefix(*port.port); !prefix.empty()) {
        side.prefixes.insert(std::move(prefix));
    }
    for (const auto pkey : port.port->pkeys) {
        side.pkeys_shown = true;
        if ((pkey & k_full_member) != 0) { // UCX leaves limited members out
            side.pkeys.insert(static_cast<std::uint16_t>(pkey & ~k_full_member));
        }
    }
}

void take_ports(PairSide& side, const PodView& view) {
    if (!port_source(view.seen)) {
        return;
    }
    for (const auto& port : select_ports(*port_source(view.seen), view.seen, view.path).used) {
        if (is_active(*port.port)) {
            take_port(side, port, view);
        }
    }
}

void take_environment(PairSide& side, const PodView& view) {
    const auto tls = view.seen.environment ? view.seen.environment->tls : std::nullopt;
    if (tls) {
        side.tls = tls->tokens;
    }
    for (const auto name : network_transports()) {
        if (allows(tls, name)) {
            side.networks.emplace(name);
        }
    }
    side.cuda_ipc = allows(tls, "cuda_ipc");
    const auto value = [&](std::string_view name) { return setting(view.worker, view.seen, name); };
    side.mnnvl = read_switch(value("UCX_CUDA_IPC_ENABLE_MNNVL"));
    side.routed = read_switch(value("UCX_IB_IS_GLOBAL")) == Switch::yes;
    for (const auto name : k_shared_settings) {
        if (const auto* text = value(name)) {
            side.settings.emplace(name, to_lower(trim(*text)));
        }
    }
}

void take_cliques(PairSide& side, const PodView& view) {
    if (!in_nvlink_domain(view.seen)) {
        return;
    }
    for (const auto& gpu : *view.seen.fabric) {
        side.cliques.insert(fmt::format("{}/{}", gpu.cluster_uuid, gpu.clique.value_or(0)));
    }
}

} // namespace

PairSide pair_side(const PodView& view, const std::vector<model::Check>& rows) {
    PairSide side;
    side.kind = view.path.kind;
    side.plugin = view.path.plugin;
    side.gpus = view.worker.spec.gpus;
    note_all_unseen(side, view);
    take_ports(side, view);
    take_environment(side, view);
    take_cliques(side, view);
    if (view.seen.ucx) {
        side.ucx_version = view.seen.ucx->version;
    }
    if (view.seen.nixl_version) {
        side.nixl_version = *view.seen.nixl_version;
    }
    const auto failed = std::find_if(rows.begin(), rows.end(), [](const auto& row) {
        return row.status == model::Status::fail && !row.advisory && !row.overridden_by;
    });
    if (failed != rows.end()) {
        side.blocked = failed->code + ": " + failed->detail;
    }
    return side;
}

bool allows_rdma(const PairSide& side) {
    return side.networks.size() > side.networks.count("tcp");
}

} // namespace di::judge
