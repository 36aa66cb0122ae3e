// Settings of the engines, of libfabric, Mooncake and NCCL.
#include "base/strings.hpp"
#include "judge/catalogue/env.hpp"
#include "judge/env_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::judge::env {
namespace {

using model::Backend;
using model::SkipReason;

constexpr std::string_view k_side_channel = "VLLM_NIXL_SIDE_CHANNEL_HOST";

bool is_loopback(std::string_view host) {
    return host == "localhost" || host.substr(0, 4) == "127." || host == "0.0.0.0" ||
           host == "::1" || host == "::";
}

bool is_ipv4(std::string_view host) {
    const auto parts = split(host, '.');
    return parts.size() == 4 && std::all_of(parts.begin(), parts.end(), [](auto part) {
               return parse_unsigned(part).has_value();
           });
}

Finding side_channel_finding(const PodView& view) {
    const auto text = name_value(view, k_side_channel);
    const auto* value = value_of(view, k_side_channel);
    if (value == nullptr) {
        return ok(text + ": dynamo.vllm fills in the pod's address");
    }
    const auto host = trim(*value);
    if (host == "status.hostIP" && !view.worker.spec.host_network) {
        return warn(text + " is the node's address, which does not lead to this pod");
    }
    if (is_loopback(host)) {
        return view.peers_elsewhere
                   ? fail(text + ": peers on other nodes are told to connect to themselves")
                   : warn(text + " works only while all peers share this pod's network");
    }
    const bool comparable = is_ipv4(host) && is_ipv4(view.worker.pod_ip);
    if (comparable && host != view.worker.pod_ip) {
        return fail(fmt::format("{} is not the pod's address {}", text, view.worker.pod_ip));
    }
    return ok(text);
}

Finding provider_finding(const PodView& view, std::string_view name) {
    const auto* provider = value_of(view, name);
    const auto text = name_value(view, name);
    if (provider == nullptr) {
        return warn(text + ": libfabric may fall back to TCP");
    }
    const auto value = trim(*provider);
    if (value == "tcp" || value == "sockets") {
        return fail(text + " keeps KV on TCP");
    }
    return value == "efa" || value == "cxi" ? ok(text) : warn(text + " is not a provider for EFA");
}

/// Variables of `names` that are set.
std::vector<std::string> set_ones(const PodView& view,
                                  std::initializer_list<std::string_view> names) {
    std::vector<std::string> found;
    for (const auto name : names) {
        if (is_set(view, name)) {
            found.emplace_back(name);
        }
    }
    return found;
}

/// Names as rows show them, with values.
std::string listed(const PodView& view, const std::vector<std::string>& names) {
    std::vector<std::string> texts;
    for (const auto& name : names) {
        texts.push_back(name_value(view, name));
    }
    return join(texts, ", ");
}

std::vector<std::string> without_effect(const PodView& view) {
    auto found = set_ones(view, {"UCX_IB_REG_METHODS", "UCX_IB_ADDR_TYPE"});
    const auto add = [&](std::initializer_list<std::string_view> names) {
        const auto more = set_ones(view, names);
        found.insert(found.end(), more.begin(), more.end());
    };
    if (view.worker.backend == Backend::vllm) {
        add({"NIXL_BACKEND", "VLLM_NIXL_KVCACHE_BACKEND"});
    }
    if (view.path.kind == PathKind::mooncake) {
        add({"UCX_TLS", "UCX_NET_DEVICES", "NIXL_PLUGIN_DIR"});
    } else {
        add({"MC_FORCE_TCP", "MC_GID_INDEX"});
    }
    return found;
}

std::vector<std::string> nccl_troubles(const PodView& view) {
    std::vector<std::string> found;
    for (const std::string_view name : {"NCCL_IB_DISABLE", "NCCL_P2P_DISABLE"}) {
        const auto* value = value_of(view, name);
        if (value != nullptr && trim(*value) == "1") {
            found.emplace_back(name);
        }
    }
    const auto is = [&](std::string_view name, std::initializer_list<std::string_view> bad) {
        const auto* value = value_of(view, name);
        if (value != nullptr && std::find(bad.begin(), bad.end(), trim(*value)) != bad.end()) {
            found.emplace_back(name);
        }
    };
    is("NCCL_NET", {"Socket"});
    is("NCCL_NET_GDR_LEVEL", {"LOC", "0"});
    is("NCCL_P2P_LEVEL", {"LOC", "0"});
    return found;
}

} // namespace

std::optional<std::string> unless_side_channel(const PodView& view) {
    if (auto why = unless_kv_moves(view)) {
        return why;
    }
    if (view.worker.backend != Backend::vllm || view.path.kind == PathKind::mooncake) {
        return "only vLLM's NIXL connector has this side channel";
    }
    return std::nullopt;
}

std::optional<std::string> unless_libfabric(const PodView& view) {
    if (auto why = unless_kv_moves(view)) {
        return why;
    }
    return view.path.kind == PathKind::libfabric
               ? std::nullopt
               : std::optional<std::string>("KV does not go through libfabric here");
}

std::optional<std::string> unless_mooncake(const PodView& view) {
    if (auto why = unless_kv_moves(view)) {
        return why;
    }
    return view.path.kind == PathKind::mooncake
               ? std::nullopt
               : std::optional<std::string>("KV does not go through Mooncake here");
}

std::optional<std::string> unless_multi_node(const PodView& view) {
    return view.worker.group ? std::nullopt
                             : std::optional<std::string>("one pod alone: NCCL does not leave it");
}

Finding judge_side_channel(const PodView& view) {
    return about(view,
                 k_side_channel,
                 side_channel_finding(view),
                 "take VLLM_NIXL_SIDE_CHANNEL_HOST from status.podIP");
}

Finding judge_provider(const PodView& view) {
    constexpr std::string_view k_name = "FI_PROVIDER";
    return about(view, k_name, provider_finding(view, k_name), "set FI_PROVIDER=efa");
}

Finding judge_device_rdma(const PodView& view) {
    constexpr std::string_view k_name = "FI_EFA_USE_DEVICE_RDMA";
    const auto text = name_value(view, k_name);
    const bool off = read_switch(value_of(view, k_name)) == Switch::no;
    return about(view,
                 k_name,
                 off ? fail(text + ": reads and writes are emulated") : ok(text),
                 "set FI_EFA_USE_DEVICE_RDMA=1");
}

Finding judge_forced_tcp(const PodView& view) {
    constexpr std::string_view k_name = "MC_FORCE_TCP";
    const auto text = name_value(view, k_name);
    return about(view,
                 k_name,
                 is_set(view, k_name) ? fail(text + " keeps KV on TCP, whatever its value")
                                      : ok(text),
                 "remove MC_FORCE_TCP");
}

Finding judge_mooncake_staging(const PodView& view) {
    constexpr std::string_view k_name = "MC_DISABLE_GPU_DIRECT_RDMA";
    const auto text = name_value(view, k_name);
    return about(view,
                 k_name,
                 is_set(view, k_name) ? warn(text + ": KV is staged in host memory") : ok(text),
                 "remove MC_DISABLE_GPU_DIRECT_RDMA");
}

Finding judge_protocols(const PodView& view) {
    constexpr std::string_view k_name = "UCX_PROTO_ENABLE";
    const auto text = name_value(view, k_name);
    const bool off = read_switch(value_of(view, k_name)) == Switch::no;
    return about(view,
                 k_name,
                 off ? warn(text + " gives up protocol selection") : ok(text),
                 "remove UCX_PROTO_ENABLE");
}

Finding judge_ignored(const PodView& view) {
    const auto found = without_effect(view);
    if (found.empty()) {
        return ok("no variable without effect");
    }
    return warn("without effect here: " + listed(view, found))
        .with("variables", found)
        .then(edit_graph(view.context, view.worker, "remove what is not read"));
}

Finding judge_nccl(const PodView& view) {
    const auto found = nccl_troubles(view);
    if (found.empty()) {
        return ok("no NCCL setting keeps collectives off the fast path");
    }
    return warn("slows collectives down, not KV: " + listed(view, found))
        .with("variables", found)
        .then(edit_graph(view.context, view.worker, "remove the NCCL setting"));
}

} // namespace di::judge::env
