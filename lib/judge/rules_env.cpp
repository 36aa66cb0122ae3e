// Settings of the engines, of libfabric, Mooncake and NCCL.
#include "base/strings.hpp"
#include "judge/catalogue/env.hpp"
#include "judge/env_text.hpp"
#include "judge/launch_words.hpp"

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

bool has_loaded_nixl(const PodView& view) {
    if (!view.seen.engine || !view.seen.engine->libraries) {
        return false;
    }
    const auto& libraries = *view.seen.engine->libraries;
    return std::any_of(libraries.begin(), libraries.end(), [](const auto& library) {
        return contains(library.path, "libnixl") || contains(library.path, "libtransfer_engine");
    });
}

/// vLLM's connector JSON, judged.
Finding vllm_connector(const std::string& config) {
    const auto connectors = json_strings(config, "kv_connector");
    if (connectors.empty()) {
        return skipped(SkipReason::unreadable,
                       "--kv-transfer-config names no kv_connector that can be read");
    }
    const auto name = join(connectors, ", ");
    const auto has = [&](std::string_view key, std::string_view bad) {
        const auto values = json_strings(config, key);
        return std::find(values.begin(), values.end(), bad) != values.end();
    };
    auto finding = has("kv_buffer_device", "cpu")
                       ? warn("kv_buffer_device=cpu: each KV block is staged in host memory")
                   : has("kv_load_failure_policy", "recompute")
                       ? warn("kv_load_failure_policy=recompute hides failed transfers as slowness")
                       : ok("KV connector " + name);
    return std::move(finding).with("kv_connector", connectors).because("arguments", name);
}

/// Older flags (--is-prefill-worker) brought their own connector.
bool asks_for_split(const std::vector<std::string>& words) {
    const auto mode = option_value(words, "--disaggregation-mode");
    return mode == "prefill" || mode == "decode";
}

Finding unknown_connector(const PodView& view, std::string_view where) {
    if (has_loaded_nixl(view)) {
        return ok("the engine has loaded a KV transfer library")
            .because("/proc/<pid>/maps", "transfer library mapped");
    }
    return skipped(SkipReason::unreadable, fmt::format("the KV connector is set {}", where));
}

Finding connector_of_vllm(const PodView& view, const std::vector<std::string>& words) {
    if (const auto config = option_value(words, "--kv-transfer-config")) {
        return vllm_connector(*config);
    }
    if (const auto connector = option_value(words, "--connector")) {
        return *connector == "none" ? fail("--connector none: the engine moves no KV")
                                    : ok("KV connector " + *connector);
    }
    const bool elsewhere = option_value(words, "--config").has_value() || has_loaded_nixl(view);
    if (asks_for_split(words) && !elsewhere) {
        return fail("the engine is started for one role, but without --kv-transfer-config: no KV "
                    "leaves it");
    }
    return unknown_connector(view, "where the pod's arguments do not show it");
}

Finding connector_of_sglang(const PodView& view, const std::vector<std::string>& words) {
    constexpr std::string_view k_option = "--disaggregation-transfer-backend";
    if (const auto backend = option_value(words, k_option)) {
        return ok(fmt::format("{} {}", k_option, *backend)).with("backend", *backend);
    }
    if (option_value(words, "--config")) {
        return unknown_connector(view, "in the engine's configuration file");
    }
    return ok("SGLang moves KV by Mooncake unless told otherwise");
}

Finding connector_of_trtllm(const PodView& view) {
    constexpr std::string_view k_mpi = "TRTLLM_USE_MPI_KVCACHE";
    const auto* by_mpi = view.seen.environment ? value_of(view, k_mpi) : nullptr;
    if (by_mpi != nullptr && *by_mpi == "1") {
        return warn(name_value(view, k_mpi) + ": KV goes over MPI");
    }
    return unknown_connector(view, "in the engine's YAML (cache_transceiver_config)");
}

Finding libfabric_finding(const PodView& view, std::string_view& variable) {
    const auto* provider = value_of(view, "FI_PROVIDER");
    variable = "FI_PROVIDER";
    const auto text = name_value(view, variable);
    if (provider == nullptr) {
        return warn(text + ": libfabric may fall back to TCP");
    }
    const auto name = trim(*provider);
    if (name == "tcp" || name == "sockets") {
        return fail(text + " keeps KV on TCP");
    }
    constexpr std::string_view k_device_rdma = "FI_EFA_USE_DEVICE_RDMA";
    if (read_switch(value_of(view, k_device_rdma)) == Switch::no) {
        variable = k_device_rdma;
        return fail(name_value(view, k_device_rdma) + ": reads and writes are emulated");
    }
    return name == "efa" || name == "cxi" ? ok(text) : warn(text + " is not a provider for EFA");
}

/// Variables of `names` that are set.
std::vector<std::string> set_ones(const PodView& view,
                                  std::initializer_list<std::string_view> names) {
    std::vector<std::string> found;
    for (const auto name : names) {
        if (value_of(view, name) != nullptr) {
            found.push_back(name_value(view, name));
        }
    }
    return found;
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
            found.push_back(name_value(view, name));
        }
    }
    const auto is = [&](std::string_view name, std::initializer_list<std::string_view> bad) {
        const auto* value = value_of(view, name);
        if (value != nullptr && std::find(bad.begin(), bad.end(), trim(*value)) != bad.end()) {
            found.push_back(name_value(view, name));
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

/// Arguments come with the pod's spec, which is always there.
const Unseen* needs_connector(const PodView& /*view*/) {
    return nullptr;
}

Finding judge_side_channel(const PodView& view) {
    return about(view,
                 k_side_channel,
                 side_channel_finding(view),
                 "take VLLM_NIXL_SIDE_CHANNEL_HOST from status.podIP");
}

Finding judge_connector(const PodView& view) {
    const auto words = launch_words(view.worker.spec.arguments);
    auto finding = view.worker.backend == Backend::vllm     ? connector_of_vllm(view, words)
                   : view.worker.backend == Backend::sglang ? connector_of_sglang(view, words)
                   : view.worker.backend == Backend::trtllm
                       ? connector_of_trtllm(view)
                       : unknown_connector(view, "by an engine that is not known");
    if (finding.status == model::Status::fail || finding.status == model::Status::warn) {
        finding.next = edit_graph(view.context, view.worker, "correct the engine's KV connector");
    }
    return finding;
}

Finding judge_efa(const PodView& view) {
    std::string_view variable;
    auto finding = libfabric_finding(view, variable);
    return about(
        view, variable, std::move(finding), "set FI_PROVIDER=efa and FI_EFA_USE_DEVICE_RDMA=1");
}

Finding judge_mooncake(const PodView& view) {
    if (value_of(view, "MC_FORCE_TCP") != nullptr) {
        return about(
            view,
            "MC_FORCE_TCP",
            fail(name_value(view, "MC_FORCE_TCP") + " keeps KV on TCP, whatever its value"),
            "remove MC_FORCE_TCP");
    }
    if (value_of(view, "MC_DISABLE_GPU_DIRECT_RDMA") != nullptr) {
        return about(
            view,
            "MC_DISABLE_GPU_DIRECT_RDMA",
            warn(name_value(view, "MC_DISABLE_GPU_DIRECT_RDMA") + ": KV is staged in host memory"),
            "remove MC_DISABLE_GPU_DIRECT_RDMA");
    }
    return about(view, "MC_FORCE_TCP", ok("MC_FORCE_TCP unset"), "");
}

Finding judge_ignored(const PodView& view) {
    const auto found = without_effect(view);
    if (found.empty()) {
        return ok("no variable without effect");
    }
    return warn("without effect here: " + join(found, ", "))
        .with("variables", found)
        .then(edit_graph(view.context, view.worker, "remove what is not read"));
}

Finding judge_nccl(const PodView& view) {
    const auto found = nccl_troubles(view);
    if (found.empty()) {
        return ok("no NCCL setting keeps collectives off the fast path");
    }
    return warn("slows collectives down, not KV: " + join(found, ", "))
        .with("variables", found)
        .then(edit_graph(view.context, view.worker, "remove the NCCL setting"));
}

} // namespace di::judge::env
