#include "judge/pair_side.hpp"

#include "base/strings.hpp"
#include "judge/connectors.hpp"
#include "judge/hcas.hpp"
#include "judge/partitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace di::judge {
namespace {

using model::LinkLayer;
using model::Unseen;

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

/// The type of the GID that UCX uses: the pinned one, else RoCE v2 where the port has one
/// (uct_ib_device_select_gid of ib_device.c).
void take_gid_types(PairSide& side, const PortRef& port, const PodView& view) {
    const auto* pinned = setting(view.worker, view.seen, "UCX_IB_GID_INDEX");
    const auto index = pinned == nullptr ? std::nullopt : parse_unsigned(trim(*pinned));
    std::set<model::GidType> types;
    for (const auto& gid : port.port->gids) {
        const bool counts =
            index ? static_cast<std::uint64_t>(gid.index) == *index : lives_in_pod(gid, view.seen);
        if (counts && gid.type != model::GidType::unknown) {
            types.insert(gid.type);
        }
    }
    if (types.count(model::GidType::roce_v2) != 0) {
        types = {model::GidType::roce_v2};
    }
    side.gid_types.insert(types.begin(), types.end());
}

/// Shared with nobody who needs it said better: the table is there, the entry is not.
const Unseen k_not_shown{model::SkipReason::unreadable, "not shown"};

/// The partitions that UCX may use: all that the port holds, or the one that UCX_IB_PKEY names.
void take_partitions(PairSide& side, const PortRef& port, const PodView& view) {
    if (port.port->pkeys.empty()) {
        note_unseen(side, &k_not_shown, "partition keys of " + port.id());
    }
    const auto* pinned = setting(view.worker, view.seen, "UCX_IB_PKEY");
    const auto only = pinned == nullptr ? std::nullopt : parse_pkey(*pinned);
    for (const auto pkey : port.port->pkeys) {
        const auto partition = static_cast<std::uint16_t>(pkey & k_partition_mask);
        if (!only || *only == partition) {
            ((pkey & k_full_member) != 0 ? side.pkeys : side.limited).insert(partition);
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
    } else {
        note_unseen(side, &k_not_shown, "subnet prefix of " + port.id());
    }
    take_partitions(side, port, view);
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
        if (tls->deny && !side.tls.empty()) {
            side.tls.front().insert(0, "^");
        }
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

/// The first row of that status that moves the verdict, or nullptr.
const model::Check* first_deciding(const std::vector<model::Check>& rows, model::Status status) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) {
        return row.status == status && !row.advisory && !row.overridden_by;
    });
    return found == rows.end() ? nullptr : &*found;
}

/// What a worker must be able to do and what its ports do not show.
bool is_beyond_ports(model::Capability capability) {
    using model::Capability;
    return capability == Capability::gpudirect || capability == Capability::memlock ||
           capability == Capability::transport || capability == Capability::library;
}

/// A capability that some row tried to tell and none could: the pair was not seen either.
void note_undecided(PairSide& side, const std::vector<model::Check>& rows) {
    for (const auto& row : rows) {
        const bool gap = row.status == model::Status::skipped && !row.advisory &&
                         row.reason != model::SkipReason::not_applicable &&
                         row.reason != model::SkipReason::not_requested;
        const bool decided = std::any_of(rows.begin(), rows.end(), [&](const auto& other) {
            return other.capability == row.capability && other.status != model::Status::skipped;
        });
        if (gap && is_beyond_ports(row.capability) && !decided) {
            const Unseen unseen{*row.reason, row.detail};
            note_unseen(side, &unseen, row.code);
        }
    }
}

} // namespace

PairSide pair_side(const PodView& view, const std::vector<model::Check>& rows) {
    PairSide side;
    side.kind = view.path.kind;
    side.plugin = view.path.plugin;
    side.chosen_by = view.path.chosen_by;
    side.gpus = view.worker.spec.gpus;
    note_all_unseen(side, view);
    take_ports(side, view);
    take_environment(side, view);
    take_cliques(side, view);
    side.image = view.worker.spec.image;
    side.connectors = named_connectors(view.worker);
    if (view.seen.ucx) {
        side.ucx_version = view.seen.ucx->version;
    }
    if (view.seen.nixl_version) {
        side.nixl_version = *view.seen.nixl_version;
    }
    note_undecided(side, rows);
    if (const auto* failed = first_deciding(rows, model::Status::fail)) {
        side.blocked = failed->code + ": " + failed->detail;
    }
    if (const auto* warning = first_deciding(rows, model::Status::warn)) {
        side.slowed = warning->code;
    }
    return side;
}

bool allows_rdma(const PairSide& side) {
    return side.networks.size() > side.networks.count("tcp");
}

} // namespace di::judge
