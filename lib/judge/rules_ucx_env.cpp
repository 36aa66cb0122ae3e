// UCX's variables, as UCX reads them.
#include "base/strings.hpp"
#include "judge/catalogue/env.hpp"
#include "judge/env_text.hpp"
#include "judge/hcas.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::judge {

const std::string* value_of(const PodView& view, std::string_view name) {
    return setting(view.worker, view.seen, name);
}

const model::Unseen* unknown_value(const PodView& view, std::string_view name) {
    const auto& unknown = view.seen.environment->unknown;
    const auto found = unknown.find(name);
    return found == unknown.end() ? nullptr : &found->second;
}

bool is_set(const PodView& view, std::string_view name) {
    return value_of(view, name) != nullptr || unknown_value(view, name) != nullptr;
}

std::string name_value(const PodView& view, std::string_view name) {
    const auto* value = value_of(view, name);
    if (const auto* unknown = unknown_value(view, name)) {
        return fmt::format("{} {}", name, unknown->why);
    }
    if (value == nullptr) {
        return fmt::format("{} unset", name);
    }
    return fmt::format("{}={} ({})", name, *value, to_string(view.seen.environment->source));
}

Finding
about(const PodView& view, std::string_view name, Finding finding, std::string_view change) {
    const auto* value = value_of(view, name);
    const auto* unknown = unknown_value(view, name);
    if (unknown != nullptr && finding.status != model::Status::fail) {
        finding = skipped(unknown->reason, name_value(view, name));
    }
    auto result =
        std::move(finding)
            .with("variable", name)
            .with("value", value == nullptr ? model::Value(nullptr) : model::Value(*value))
            .with("source", to_string(view.seen.environment->source))
            .because(std::string(to_string(view.seen.environment->source)), name_value(view, name));
    if (result.status != model::Status::ok && !result.next) {
        // The same row of several components is shown once, so none of them is named.
        const std::string_view where =
            view.worker.component.empty() ? "" : ", graph-wide or in each component that sets it";
        result.next = edit_graph(view.context, view.worker, fmt::format("{}{}", change, where));
    }
    return result;
}

} // namespace di::judge

namespace di::judge::env {
namespace {

using model::SkipReason;
using model::UcxNetDevice;
using model::UcxTls;

/// A manifest shows settings and nothing of the nodes: what is allowed there is all that can be
/// said.
bool of_manifest(const PodView& view) {
    return view.seen.environment->source == model::EnvSource::manifest;
}

bool has_wireup(const UcxTls& tls) {
    const auto named = [&](std::string_view name) {
        return tls.transports.count(std::string(name)) != 0 ||
               tls.auxiliary.count(std::string(name)) != 0;
    };
    return tls.all || named("ud_mlx5") || named("ud_verbs") || named("tcp") || named("srd");
}

/// UD cannot put or get: UCX emulates both by messages.
bool has_native_rma(const std::optional<UcxTls>& tls) {
    const auto& names = network_transports();
    return std::any_of(names.begin(), names.end() - 1, [&](auto name) {
        return !contains(name, "ud_") && allows(tls, name);
    });
}

std::string unknown_names(const UcxTls& tls) {
    return tls.unknown.empty() ? ""
                               : fmt::format("; UCX does not know {}", join(tls.unknown, ", "));
}

Finding tls_finding(const PodView& view, const std::optional<UcxTls>& tls) {
    const auto text = name_value(view, "UCX_TLS");
    if (!tls) {
        return ok("UCX_TLS unset: UCX chooses among all transports");
    }
    const bool by_nvlink = view.path.kind == PathKind::nvlink;
    if (!by_nvlink && !allows_rdma(tls)) {
        return fail(fmt::format("{} {}{}",
                                text,
                                allows(tls, "tcp") ? "keeps KV on TCP"
                                                   : "leaves no transport to another node",
                                unknown_names(*tls)));
    }
    if (!allows(tls, "cuda_copy")) {
        return fail(text + " leaves cuda_copy out: UCX takes GPU memory for host memory" +
                    unknown_names(*tls));
    }
    if (!tls->unknown.empty()) {
        return warn(text + unknown_names(*tls) + " and drops it");
    }
    if (by_nvlink) {
        return of_manifest(view) ? warn(text + " is right inside one NVLink clique only, which no "
                                               "manifest shows")
                                 : ok(text + " relies on multi-node NVLink");
    }
    if (!has_native_rma(tls)) {
        return warn(text + " leaves only UD, which emulates reads and writes");
    }
    if (!has_wireup(*tls)) {
        return warn(text + " names an RDMA transport without ud: wire-up may fail");
    }
    return ok(text + " allows RDMA and CUDA");
}

/// True, false, or nothing when ucx_info did not say.
std::optional<bool> ucx_at_least(const PodView& view, unsigned minor) {
    if (!view.seen.ucx) {
        return std::nullopt;
    }
    const auto parts = split(view.seen.ucx->version, '.');
    const auto major_part = parse_unsigned(parts.front());
    const auto minor_part = parts.size() > 1 ? parse_unsigned(parts[1]) : std::nullopt;
    if (!major_part || !minor_part) {
        return std::nullopt;
    }
    return *major_part > 1 || (*major_part == 1 && *minor_part >= minor);
}

bool looks_like_hca(const UcxNetDevice& entry) {
    const std::string_view name = entry.device;
    return entry.port.has_value() || name.substr(0, 4) == "mlx5" || name.substr(0, 4) == "mlx4" ||
           name.substr(0, 5) == "rdmap";
}

struct Listed {
    std::vector<std::string> present;
    std::vector<std::string> missing; ///< HCAs that the kernel does not show
    std::vector<std::string> interfaces;
    std::vector<std::string> portless;
};

Listed sort_entries(const PodView& view, const std::vector<UcxNetDevice>& entries) {
    Listed listed;
    for (const auto& entry : entries) {
        const auto& devices = view.seen.sysfs;
        const bool exists =
            devices && std::any_of(devices->begin(), devices->end(), [&](const auto& device) {
                return device.name == entry.device &&
                       (!entry.port ||
                        std::any_of(device.ports.begin(),
                                    device.ports.end(),
                                    [&](const auto& port) { return port.number == *entry.port; }));
            });
        if (!exists && !looks_like_hca(entry)) {
            listed.interfaces.push_back(entry.text);
            continue;
        }
        if (!entry.port) {
            listed.portless.push_back(entry.text);
        }
        (exists ? listed.present : listed.missing).push_back(entry.text);
    }
    return listed;
}

/// Spellings that an older UCX takes for the name of one device.
std::optional<Finding> newer_spelling(const PodView& view, const model::UcxNetDevices& list) {
    const auto text = name_value(view, "UCX_NET_DEVICES");
    const auto judge = [&](unsigned minor, std::string_view what) -> std::optional<Finding> {
        const auto known = ucx_at_least(view, minor);
        if (known == true) {
            return std::nullopt;
        }
        return warn(fmt::format("{} uses {}, which UCX before 1.{} does not understand{}",
                                text,
                                what,
                                minor,
                                known ? "; UCX here is " + view.seen.ucx->version : ""));
    };
    if (list.ranges) {
        return judge(22, "a range");
    }
    if (list.deny) {
        return judge(21, "a deny list");
    }
    return std::nullopt;
}

Finding portless_finding(const std::string& text, const Listed& listed) {
    return warn(fmt::format("{}: {} without a port matches nothing before UCX 1.21",
                            text,
                            join(listed.portless, ", ")));
}

Finding allow_list_finding(const PodView& view, const model::UcxNetDevices& list) {
    const auto text = name_value(view, "UCX_NET_DEVICES");
    const auto listed = sort_entries(view, list.entries);
    if (listed.present.empty() && listed.missing.empty()) {
        return fail(text + " names no RDMA device: KV stays on TCP");
    }
    const bool portless = !listed.portless.empty() && ucx_at_least(view, 21) != true;
    if (of_manifest(view)) {
        return portless ? portless_finding(text, listed)
                        : ok(text + " names HCAs; which of them exist shows only on the nodes");
    }
    if (!view.seen.sysfs) {
        return skipped(*view.seen.sysfs.unseen(), text + ": which devices exist");
    }
    if (listed.present.empty()) {
        return fail(text + " names no RDMA device that exists here");
    }
    if (!listed.missing.empty()) {
        return warn(text + ": not here: " + join(listed.missing, ", "));
    }
    if (portless) {
        return portless_finding(text, listed);
    }
    return ok(text + " names HCAs that exist");
}

bool is_unset_or(const std::string* value, std::initializer_list<std::string_view> good) {
    return value == nullptr ||
           std::find(good.begin(), good.end(), to_lower(trim(*value))) != good.end();
}

enum class GidUse { good, weak, empty, beyond };

GidUse gid_at(const PortRef& port, std::uint64_t index) {
    constexpr std::uint64_t k_read_slots = 16; // the probe reads that many
    if (index >= k_read_slots) {
        return GidUse::beyond;
    }
    for (const auto& gid : port.port->gids) {
        if (static_cast<std::uint64_t>(gid.index) != index) {
            continue;
        }
        const bool infiniband = port.port->link_layer == model::LinkLayer::infiniband;
        const bool routable = gid.type == model::GidType::roce_v2 && is_routable(gid);
        return infiniband || routable ? GidUse::good : GidUse::weak;
    }
    return port.port->gids_readable ? GidUse::empty : GidUse::beyond;
}

Finding gid_finding(const PodView& view, std::uint64_t index) {
    const auto text = name_value(view, "UCX_IB_GID_INDEX");
    if (of_manifest(view)) {
        return ok(text + "; which address that is shows only on the nodes");
    }
    if (!port_source(view.seen)) {
        return skipped(*port_source(view.seen).unseen(), text + ": the GID tables");
    }
    auto worst = GidUse::good;
    std::string where;
    for (const auto& port : select_ports(*port_source(view.seen), view.seen, view.path).used) {
        const auto use = gid_at(port, index);
        if (use > worst) {
            worst = use;
            where = port.id();
        }
    }
    switch (worst) {
    case GidUse::beyond:
        return skipped(SkipReason::unreadable, text + ": the GID at " + where + " is not readable");
    case GidUse::empty:
        return fail(text + " points at an empty GID of " + where);
    case GidUse::weak:
        return warn(text + " points at a RoCE v1 or link-local GID of " + where);
    case GidUse::good:
        break;
    }
    return ok(text + " holds a usable GID on each port");
}

} // namespace

const Unseen* needs_environment(const PodView& view) {
    return view.seen.environment.unseen();
}

Finding judge_tls(const PodView& view) {
    const auto& tls = view.seen.environment->tls;
    auto finding = tls_finding(view, tls);
    if (tls) {
        finding.facts.set("tokens", tls->tokens);
        finding.facts.set("unknown", tls->unknown);
    }
    return about(
        view, "UCX_TLS", std::move(finding), "set UCX_TLS=rc,cuda_copy,cuda_ipc or remove it");
}

Finding judge_net_devices(const PodView& view) {
    const auto& list = view.seen.environment->net_devices;
    constexpr std::string_view k_change = "list HCAs as mlx5_0:1 in UCX_NET_DEVICES, or remove it";
    if (!list || list->all) {
        return about(view,
                     "UCX_NET_DEVICES",
                     ok("UCX_NET_DEVICES " + std::string(list ? "all" : "unset") +
                        ": UCX takes every device"),
                     k_change);
    }
    auto finding = newer_spelling(view, *list);
    if (!finding && list->deny) {
        finding = ok(name_value(view, "UCX_NET_DEVICES") + " is a deny list");
    }
    return about(view,
                 "UCX_NET_DEVICES",
                 finding ? std::move(*finding) : allow_list_finding(view, *list),
                 k_change);
}

Finding judge_gpu_direct(const PodView& view) {
    constexpr std::string_view k_name = "UCX_IB_GPU_DIRECT_RDMA";
    const auto text = name_value(view, k_name);
    const auto value = read_switch(value_of(view, k_name));
    const bool needed = view.path.kind != PathKind::nvlink;
    auto finding = value == Switch::no && needed ? fail(text + ": KV is staged in host memory")
                   : value == Switch::invalid    ? warn(text + " is not a value that UCX knows")
                                                 : ok(text);
    return about(view, k_name, std::move(finding), "remove UCX_IB_GPU_DIRECT_RDMA");
}

Finding judge_mnnvl(const PodView& view) {
    constexpr std::string_view k_name = "UCX_CUDA_IPC_ENABLE_MNNVL";
    const auto text = name_value(view, k_name);
    const auto value = read_switch(value_of(view, k_name));
    Finding finding = ok(text);
    if (value == Switch::invalid) {
        finding = warn(text + " is not a value that UCX knows");
    } else if (value == Switch::yes && of_manifest(view)) {
        finding = ok(text + " asks for multi-node NVLink");
    } else if (value == Switch::yes && !view.seen.fabric) {
        finding = skipped(*view.seen.fabric.unseen(), text + ": the NVLink fabric");
    } else if (value == Switch::yes && !in_nvlink_domain(view.seen)) {
        finding = warn(text + ", but these GPUs are in no multi-node NVLink domain");
    } else if (value == Switch::no && !allows_rdma(view.seen.environment->tls) &&
               allows(view.seen.environment->tls, "cuda_ipc")) {
        finding = fail(text + " forbids NVLink, and UCX_TLS forbids RDMA");
    }
    return about(view, k_name, std::move(finding), "remove UCX_CUDA_IPC_ENABLE_MNNVL");
}

Finding judge_gid_index(const PodView& view) {
    constexpr std::string_view k_name = "UCX_IB_GID_INDEX";
    const auto* value = value_of(view, k_name);
    const auto text = name_value(view, k_name);
    Finding finding = ok(text);
    if (!is_unset_or(value, {"auto"}) && view.path.kind == PathKind::ucx) {
        const auto index = parse_unsigned(trim(*value));
        finding = index ? gid_finding(view, *index) : warn(text + " is not an index");
    }
    return about(view, k_name, std::move(finding), "remove UCX_IB_GID_INDEX");
}

Finding judge_rendezvous(const PodView& view) {
    constexpr std::string_view k_scheme = "UCX_RNDV_SCHEME";
    const auto* scheme = value_of(view, k_scheme);
    const auto text = name_value(view, k_scheme);
    const bool direct = is_unset_or(scheme, {"auto", "get_zcopy", "put_zcopy"});
    const bool counts = value_of(view, "UCX_RNDV_THRESH") != nullptr;
    auto finding = direct   ? ok(text)
                   : counts ? warn(text + " stages data in between")
                            : ok(text + " does not matter while UCX_RNDV_THRESH is unset");
    return about(view, k_scheme, std::move(finding), "remove UCX_RNDV_SCHEME");
}

} // namespace di::judge::env
