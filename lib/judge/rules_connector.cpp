// The KV connector of each engine: ai-dynamo/dynamo components/src/dynamo/vllm, vLLM's
// --kv-transfer-config, SGLang's server_args, TensorRT-LLM's cache_transceiver_config.
#include "base/strings.hpp"
#include "judge/catalogue/env.hpp"
#include "judge/catalogue/pair.hpp"
#include "judge/connectors.hpp"
#include "judge/env_text.hpp"
#include "judge/launch_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::judge {
namespace {

using model::Value;

constexpr std::string_view k_transceiver = "cache_transceiver_config";

std::optional<std::string> transfer_config(const std::vector<std::string>& words) {
    auto config = option_value(words, "--kv-transfer-config");
    return config ? config : option_value(words, "--kv_transfer_config");
}

/// The strings of a JSON text, or of the options that spell its keys out
/// (--kv-transfer-config.KEY).
std::vector<std::string> settings_of(const std::vector<std::string>& words, std::string_view key) {
    if (const auto config = transfer_config(words)) {
        return json_strings(*config, key);
    }
    const auto value = option_value(words, fmt::format("--kv-transfer-config.{}", key));
    return value ? std::vector<std::string>{*value} : std::vector<std::string>();
}

bool gives_transfer_config(const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), [](std::string_view word) {
        return word.starts_with("--kv-transfer-config") || word.starts_with("--kv_transfer_config");
    });
}

/// The transceiver's part of an engine file; nullptr when the file has none.
const Value* transceiver_of(const model::Worker& worker) {
    const auto* config = worker.spec.engine_config.get();
    const auto* part = config == nullptr ? nullptr : config->find(k_transceiver);
    return part == nullptr || part->is_null() ? nullptr : part;
}

std::string backend_of(const Value& transceiver) {
    const auto* backend = transceiver.find("backend");
    const auto* text = backend == nullptr ? nullptr : std::get_if<std::string>(&backend->data());
    return text == nullptr ? "" : *text;
}

} // namespace

std::set<std::string> named_connectors(const model::Worker& worker) {
    std::set<std::string> names;
    if (worker.backend == model::Backend::vllm) {
        for (auto& name : settings_of(launch_words(worker.spec.arguments), "kv_connector")) {
            names.insert(std::move(name));
        }
        names.erase("MultiConnector"); // its members are named beside it
    } else if (worker.backend == model::Backend::trtllm) {
        const auto* transceiver = transceiver_of(worker);
        const auto backend = transceiver == nullptr ? "" : backend_of(*transceiver);
        if (!backend.empty() && to_lower(backend) != "default") {
            names.insert(backend);
        }
    }
    return names;
}

bool has_older_flags(const std::vector<std::string>& words) {
    return has_word(words, "--is-prefill-worker") || has_word(words, "--is-decode-worker");
}

pairing::Answer pairing::backend_mismatch(const PairView& pair) {
    const auto name = [](const PairSide& side) {
        return side.kind == PathKind::mooncake ? std::string("Mooncake") : side.plugin;
    };
    const auto prefill = name(pair.prefill);
    const auto decode = name(pair.decode);
    if (pair.prefill.kind == PathKind::none || pair.decode.kind == PathKind::none ||
        prefill == decode) {
        return std::nullopt;
    }
    const auto& chosen_by =
        pair.decode.chosen_by.empty() ? pair.prefill.chosen_by : pair.decode.chosen_by;
    PairFinding finding;
    finding.detail = fmt::format(
        "the roles use different transfer backends: prefill {}, decode {}", prefill, decode);
    finding.facts.set("prefill", prefill).set("decode", decode).set("variable", chosen_by);
    return finding;
}

pairing::Answer pairing::connector_mismatch(const PairView& pair) {
    const std::vector<std::string> prefill(pair.prefill.connectors.begin(),
                                           pair.prefill.connectors.end());
    const std::vector<std::string> decode(pair.decode.connectors.begin(),
                                          pair.decode.connectors.end());
    const bool shared = std::any_of(prefill.begin(), prefill.end(), [&](const auto& name) {
        return pair.decode.connectors.count(name) > 0;
    });
    if (shared || prefill.empty() || decode.empty()) {
        return std::nullopt;
    }
    PairFinding finding;
    finding.detail = fmt::format(
        "different KV connectors: prefill {}, decode {}", join(prefill, ","), join(decode, ","));
    const bool by_vllm = contains(prefill.front(), "Connector"); // TensorRT-LLM names a backend
    finding.facts.set("prefill", prefill).set("decode", decode);
    finding.facts.set("variable", by_vllm ? "kv-transfer-config" : k_transceiver);
    return finding;
}

} // namespace di::judge

namespace di::judge::env {
namespace {

using model::Backend;
using model::SkipReason;

bool has_loaded_nixl(const PodView& view) {
    if (!view.seen.engine || !view.seen.engine->libraries) {
        return false;
    }
    const auto& libraries = *view.seen.engine->libraries;
    return std::any_of(libraries.begin(), libraries.end(), [](const auto& library) {
        return contains(library.path, "libnixl") || contains(library.path, "libtransfer_engine");
    });
}

/// vLLM's connector settings, judged.
Finding vllm_connector(const std::vector<std::string>& words) {
    const auto connectors = settings_of(words, "kv_connector");
    if (connectors.empty()) {
        return skipped(SkipReason::unreadable,
                       "--kv-transfer-config names no kv_connector that can be read")
            .with("variable", "kv-transfer-config");
    }
    const auto name = join(connectors, ", ");
    const auto has = [&](std::string_view key, std::string_view bad) {
        const auto values = settings_of(words, key);
        return std::find(values.begin(), values.end(), bad) != values.end();
    };
    auto finding =
        has("kv_buffer_device", "cpu")
            ? warn("kv_buffer_device=cpu: each KV block is staged in host memory")
                  .with("variable", "kv_buffer_device")
                  .with("value", "cpu")
        : has("kv_load_failure_policy", "recompute")
            ? warn("kv_load_failure_policy=recompute hides failed transfers as slowness")
                  .with("variable", "kv_load_failure_policy")
                  .with("value", "recompute")
            : ok("KV connector " + name).with("variable", "kv-transfer-config").with("value", name);
    return std::move(finding).with("kv_connector", connectors).because("arguments", name);
}

bool asks_for_split(const std::vector<std::string>& words) {
    const auto mode = option_value(words, "--disaggregation-mode");
    return mode == "prefill" || mode == "decode";
}

/// vLLM's own server, which has no connector unless it is given one.
bool is_plain_vllm(const std::vector<std::string>& words) {
    const auto serves = std::find(words.begin(), words.end(), "serve");
    const bool by_command = serves != words.end() && serves != words.begin() &&
                            (*(serves - 1) == "vllm" || std::prev(serves)->ends_with("/vllm"));
    return by_command || has_word(words, "vllm.entrypoints.openai.api_server");
}

Finding unknown_connector(const PodView& view, std::string_view where) {
    if (has_loaded_nixl(view)) {
        return ok("the engine has loaded a KV transfer library")
            .because("/proc/<pid>/maps", "transfer library mapped");
    }
    return skipped(SkipReason::unreadable, fmt::format("the KV connector is set {}", where));
}

Finding connector_of_vllm(const PodView& view, const std::vector<std::string>& words) {
    if (gives_transfer_config(words)) {
        return vllm_connector(words);
    }
    if (const auto connector = option_value(words, "--connector")) {
        return *connector == "none" ? fail("--connector none: the engine moves no KV")
                                          .with("variable", "connector")
                                          .with("value", *connector)
                                    : ok("KV connector " + *connector);
    }
    const bool elsewhere = option_value(words, "--config").has_value() || has_loaded_nixl(view);
    if ((asks_for_split(words) || is_plain_vllm(words)) && !elsewhere) {
        return fail("the engine plays one role, but without --kv-transfer-config: no KV leaves it")
            .with("variable", "kv-transfer-config")
            .with("value", nullptr);
    }
    if (view.older_flags && !words.empty()) {
        return ok("dynamo.vllm with flags of this age connects by NIXL unless told otherwise");
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

/// The engine file's transceiver, judged.
Finding transceiver_finding(const PodView& view) {
    const auto* transceiver = transceiver_of(view.worker);
    if (transceiver == nullptr) {
        return fail(fmt::format("the engine's file has no {}: the engine moves no KV",
                                k_transceiver))
            .with("variable", k_transceiver)
            .with("value", nullptr);
    }
    const auto backend = backend_of(*transceiver);
    const auto text =
        fmt::format("{} with backend {}", k_transceiver, backend.empty() ? "unset" : backend);
    auto finding = to_lower(backend) == "mpi" ? warn(text + ": KV goes over MPI") : ok(text);
    return std::move(finding).with("variable", k_transceiver).with("value", backend);
}

Finding connector_of_trtllm(const PodView& view, const std::vector<std::string>& words) {
    constexpr std::string_view k_mpi = "TRTLLM_USE_MPI_KVCACHE";
    const auto* by_mpi = view.seen.environment ? value_of(view, k_mpi) : nullptr;
    if (by_mpi != nullptr && *by_mpi == "1") {
        return warn(name_value(view, k_mpi) + ": KV goes over MPI")
            .with("variable", k_mpi)
            .with("value", *by_mpi);
    }
    const bool is_inline = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return contains(word, k_transceiver);
    });
    if (is_inline) {
        return ok(fmt::format("{} is set on the command line", k_transceiver));
    }
    const auto& config = view.worker.spec.engine_config;
    if (config) {
        return transceiver_finding(view);
    }
    const bool names_file = std::any_of(words.begin(), words.end(), [](std::string_view word) {
        return word.starts_with("--extra-engine-args") || word.starts_with("--extra_engine_args") ||
               word.starts_with("--extra_llm_api_options") || word.starts_with("--config");
    });
    if (asks_for_split(words) && !names_file && !has_loaded_nixl(view)) {
        return fail(fmt::format("neither a file nor an argument sets {}: the engine moves no KV",
                                k_transceiver))
            .with("variable", k_transceiver)
            .with("value", nullptr);
    }
    const auto& why = config.unseen()->why;
    return unknown_connector(
        view,
        fmt::format("in the engine's YAML ({}){}", k_transceiver, why.empty() ? "" : ": " + why));
}

} // namespace

/// Arguments come with the pod's spec, which is always there.
const Unseen* needs_connector(const PodView& /*view*/) {
    return nullptr;
}

Finding judge_connector(const PodView& view) {
    const auto words = launch_words(view.worker.spec.arguments);
    auto finding = view.worker.backend == Backend::vllm     ? connector_of_vllm(view, words)
                   : view.worker.backend == Backend::sglang ? connector_of_sglang(view, words)
                   : view.worker.backend == Backend::trtllm
                       ? connector_of_trtllm(view, words)
                       : unknown_connector(view, "by an engine that is not known");
    if (finding.status == model::Status::fail || finding.status == model::Status::warn) {
        finding.next = edit_graph(view.context, view.worker, "correct the engine's KV connector");
    }
    return finding;
}

} // namespace di::judge::env
