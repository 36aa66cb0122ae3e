#include "judge/used_path.hpp"

#include "base/strings.hpp"
#include "judge/launch_words.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace di::judge {
namespace {

using model::Backend;
using model::PodObservation;
using model::Worker;

/// What the engine was told, before devices are looked at.
UsedPath nixl(std::string plugin, std::string chosen_by) {
    UsedPath path;
    path.kind = plugin == "LIBFABRIC" ? PathKind::libfabric : PathKind::ucx;
    path.plugin = std::move(plugin);
    path.chosen_by = std::move(chosen_by);
    return path;
}

UsedPath mooncake(std::string chosen_by) {
    UsedPath path;
    path.kind = PathKind::mooncake;
    path.plugin.clear();
    path.chosen_by = std::move(chosen_by);
    return path;
}

UsedPath nixl_from(const Worker& worker, const PodObservation& seen, std::string_view variable) {
    const auto* plugin = setting(worker, seen, variable);
    return plugin == nullptr ? nixl("UCX", "") : nixl(*plugin, std::string(variable));
}

/// vLLM: the KV connector's JSON alone decides (facts of vllm's nixl connector).
UsedPath of_vllm(const std::vector<std::string>& words) {
    const auto config = option_value(words, "--kv-transfer-config").value_or("");
    for (const auto& connector : json_strings(config, "kv_connector")) {
        if (contains(connector, "Mooncake")) {
            return mooncake("--kv-transfer-config");
        }
    }
    const auto backends = json_strings(config, "backends");
    return backends.empty() ? nixl("UCX", "")
                            : nixl(backends.front(), "kv_connector_extra_config.backends");
}

bool maps(const PodObservation& seen, std::string_view part) {
    if (!seen.engine || !seen.engine->libraries) {
        return false;
    }
    const auto& libraries = *seen.engine->libraries;
    return std::any_of(libraries.begin(), libraries.end(), [&](const auto& library) {
        return contains(library.path, part);
    });
}

/// SGLang: Mooncake unless told otherwise; a config file may tell, and then the process shows it.
UsedPath
of_sglang(const Worker& worker, const PodObservation& seen, const std::vector<std::string>& words) {
    const auto backend = option_value(words, "--disaggregation-transfer-backend");
    const bool by_nixl = backend ? *backend == "nixl" : maps(seen, "libnixl");
    if (by_nixl) {
        return nixl_from(worker, seen, "SGLANG_DISAGGREGATION_NIXL_BACKEND");
    }
    auto path = mooncake(backend ? "--disaggregation-transfer-backend" : "");
    if (const auto devices = option_value(words, "--disaggregation-ib-device")) {
        for (const auto device : split(*devices, ',')) {
            path.devices.emplace_back(trim(device));
        }
    }
    return path;
}

bool has_openable_node(const PodObservation& seen) {
    return std::any_of(seen.verbs_nodes->begin(), seen.verbs_nodes->end(), [](const auto& node) {
        return node.openable;
    });
}

/// Does UCX reach the other pod by NVLink alone? Not before cuda_ipc is allowed and RDMA is not
/// there, and only where a multi-node NVLink domain is shown or clearly meant.
bool rests_on_nvlink(const Worker& worker, const PodObservation& seen) {
    const auto tls = seen.environment ? seen.environment->tls : std::nullopt;
    const bool no_device = seen.verbs_nodes && !has_openable_node(seen);
    if (!allows(tls, "cuda_ipc") || (allows_rdma(tls) && !no_device)) {
        return false;
    }
    const auto mnnvl = read_switch(setting(worker, seen, "UCX_CUDA_IPC_ENABLE_MNNVL"));
    if (mnnvl == Switch::no) {
        return false;
    }
    // A manifest does not show the channel's node, but the claim that brings it.
    const bool channel =
        seen.imex_channels ? !seen.imex_channels->empty() : !worker.spec.claims.empty();
    return mnnvl == Switch::yes || in_nvlink_domain(seen) || (!seen.fabric && channel);
}

} // namespace

UsedPath used_path(const Worker& worker, const PodObservation& seen, std::string no_split) {
    UsedPath path;
    if (worker.backend == Backend::mocker) {
        no_split = "a mocker moves no KV";
    } else if (worker.role == model::Role::encode) {
        no_split = "an encode worker sends embeddings, not KV";
    }
    if (!no_split.empty()) {
        path.kind = PathKind::none;
        path.why_none = std::move(no_split);
        return path;
    }
    const auto words = launch_words(worker.spec.arguments);
    if (worker.backend == Backend::sglang) {
        path = of_sglang(worker, seen, words);
    } else if (worker.backend == Backend::trtllm) {
        path = nixl_from(worker, seen, "TRTLLM_NIXL_KVCACHE_BACKEND");
    } else {
        path = of_vllm(words);
    }
    if (path.kind == PathKind::ucx && rests_on_nvlink(worker, seen)) {
        path.kind = PathKind::nvlink;
    }
    return path;
}

const std::string*
setting(const Worker& worker, const PodObservation& seen, std::string_view name) {
    const auto& values = seen.environment ? seen.environment->values : worker.spec.env;
    const auto found = values.find(name);
    return found == values.end() ? nullptr : &found->second;
}

bool allows(const std::optional<model::UcxTls>& tls, std::string_view transport) {
    return !tls || tls->all || tls->transports.count(std::string(transport)) != 0;
}

const std::vector<std::string_view>& network_transports() {
    static const std::vector<std::string_view> k_names = {"rc_mlx5",
                                                          "rc_verbs",
                                                          "dc_mlx5",
                                                          "ud_mlx5",
                                                          "ud_verbs",
                                                          "gga_mlx5",
                                                          "rc_gda",
                                                          "srd",
                                                          "tcp"};
    return k_names;
}

bool allows_rdma(const std::optional<model::UcxTls>& tls) {
    // What a deny list happens to leave in carries nothing on an ordinary HCA: gga moves data
    // within one, rc_gda is driven by GPU kernels, srd is EFA's. Only who lists them means them.
    static const std::set<std::string_view> k_special = {"gga_mlx5", "rc_gda", "srd"};
    const bool denied_rest = tls && tls->deny;
    const auto& names = network_transports();
    return std::any_of(names.begin(), names.end() - 1, [&](auto name) {
        return allows(tls, name) && !(denied_rest && k_special.count(name) != 0);
    });
}

Switch read_switch(const std::string* value) {
    if (value == nullptr) {
        return Switch::unset;
    }

    struct Spelling {
        std::string_view text;
        Switch meaning;
    };

    static constexpr std::array<Spelling, 12> k_spellings = {{{"y", Switch::yes},
                                                              {"yes", Switch::yes},
                                                              {"on", Switch::yes},
                                                              {"1", Switch::yes},
                                                              {"true", Switch::yes},
                                                              {"n", Switch::no},
                                                              {"no", Switch::no},
                                                              {"off", Switch::no},
                                                              {"0", Switch::no},
                                                              {"false", Switch::no},
                                                              {"try", Switch::automatic},
                                                              {"auto", Switch::automatic}}};
    const auto text = to_lower(trim(*value));
    for (const auto& spelling : k_spellings) {
        if (text == spelling.text) {
            return spelling.meaning;
        }
    }
    return Switch::invalid;
}

bool names_cluster(std::string_view uuid) {
    return uuid.find_first_not_of("0-") != std::string_view::npos && uuid != "N/A";
}

bool in_nvlink_cluster(const model::GpuFabric& gpu) {
    return gpu.state == "Completed" && gpu.status == "Success" && names_cluster(gpu.cluster_uuid);
}

bool in_nvlink_domain(const PodObservation& seen) {
    return seen.fabric && !seen.fabric->empty() &&
           std::all_of(seen.fabric->begin(), seen.fabric->end(), in_nvlink_cluster);
}

} // namespace di::judge
