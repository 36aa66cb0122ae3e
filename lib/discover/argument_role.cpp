// The role in an engine's arguments. Flags: ai-dynamo/dynamo components/src/dynamo/{vllm,sglang,
// trtllm} argument groups, vLLM's --kv-transfer-config, trtllm-serve's --server_role.
#include "base/strings.hpp"
#include "discover/command_line.hpp"

#include <algorithm>
#include <array>

namespace di::discover {
namespace {

using model::Backend;
using model::Role;

std::optional<Role> role_of_mode(std::string_view mode) {
    struct Mode {
        std::string_view text;
        Role role;
    };

    static constexpr std::array<Mode, 12> k_modes = {{
        {"prefill", Role::prefill},
        {"context", Role::prefill},
        {"decode", Role::decode},
        {"generation", Role::decode},
        {"encode", Role::encode},
        {"mm_encoder", Role::encode},
        {"agg", Role::worker},
        {"aggregated", Role::worker},
        {"prefill_and_decode", Role::worker},
        {"pd", Role::worker},
        {"null", Role::worker},
        {"none", Role::worker},
    }};
    const std::string lower = to_lower(mode);
    const auto* found = std::find_if(
        k_modes.begin(), k_modes.end(), [&](const Mode& known) { return known.text == lower; });
    return found == k_modes.end() ? std::nullopt : std::optional(found->role);
}

/// kv_role in the JSON of --kv-transfer-config, also of connectors nested in it. Found as text: the
/// value may be cut, templated or quoted in any way.
std::optional<Role> role_of_kv_config(std::string_view json) {
    const bool produces = contains(json, "kv_producer");
    const bool consumes = contains(json, "kv_consumer");
    if (produces == consumes) {
        return std::nullopt;
    }
    return produces ? Role::prefill : Role::decode;
}

bool is_true(std::string_view text) {
    static constexpr std::array<std::string_view, 4> k_true = {"1", "true", "yes", "on"};
    const std::string lower = to_lower(text);
    return std::find(k_true.begin(), k_true.end(), lower) != k_true.end();
}

/// What the options say together; later ones overwrite earlier ones.
struct Options {
    std::optional<Role> mode;
    std::optional<Role> kv_role;
    bool prefill = false;
    bool decode = false;
    bool encode = false;

    [[nodiscard]] std::optional<Role> role() const {
        if (encode) {
            return Role::encode;
        }
        if (mode) {
            return mode;
        }
        if (prefill != decode) {
            return prefill ? Role::prefill : Role::decode;
        }
        return kv_role;
    }
};

struct Switch {
    std::string_view flag;
    std::string_view variable; ///< after the engine's prefix: DYN_VLLM_, DYN_SGL_
    bool Options::*option;
};

constexpr std::array<Switch, 4> k_switches = {{
    {"is-prefill-worker", "IS_PREFILL_WORKER", &Options::prefill},
    {"is-decode-worker", "IS_DECODE_WORKER", &Options::decode},
    {"multimodal-encode-worker", "MULTIMODAL_ENCODE_WORKER", &Options::encode},
    {"multimodal-decode-worker", "MULTIMODAL_DECODE_WORKER", &Options::decode},
}};

/// Variables are the defaults of flags, each engine's under its own prefix.
void apply_variables(Options& options, const ShellCommand& command) {
    struct Prefix {
        std::string_view text;
        Backend backend;
    };

    static constexpr std::array<Prefix, 3> k_prefixes = {{{"DYN_VLLM_", Backend::vllm},
                                                          {"DYN_SGL_", Backend::sglang},
                                                          {"DYN_TRTLLM_", Backend::trtllm}}};
    const auto engine = engine_of(command);
    for (const Prefix& prefix : k_prefixes) {
        if (engine && *engine != prefix.backend) {
            continue;
        }
        const auto value = [&](std::string_view name) {
            const auto found = command.env.find(std::string(prefix.text) + std::string(name));
            return found == command.env.end() ? std::string_view()
                                              : std::string_view(found->second);
        };
        if (const auto mode = role_of_mode(value("DISAGGREGATION_MODE"))) {
            options.mode = mode;
        }
        for (const Switch& known : k_switches) {
            options.*known.option = options.*known.option || is_true(value(known.variable));
        }
    }
}

void apply_flag(Options& options, std::string_view flag, std::string_view value) {
    if (flag == "disaggregation-mode" || flag == "server-role") {
        options.mode = role_of_mode(value); // one that cannot be read takes back an earlier one
    } else if (flag == "kv-transfer-config" || flag == "kv-transfer-config.kv-role") {
        options.kv_role = role_of_kv_config(value);
    }
    const bool negated = flag.starts_with("no-");
    flag.remove_prefix(negated ? 3 : 0);
    for (const Switch& known : k_switches) {
        if (flag == known.flag) {
            options.*known.option = !negated;
        }
    }
}

std::optional<Role> role_of_command(const ShellCommand& command) {
    Options options;
    apply_variables(options, command);
    for (std::size_t i = 0; i < command.words.size(); ++i) {
        const std::string_view word = command.words[i];
        if (!word.starts_with("--")) {
            continue;
        }
        const std::size_t sign = word.find('=');
        std::string flag(word.substr(2, sign == std::string_view::npos ? sign : sign - 2));
        std::replace(flag.begin(), flag.end(), '_', '-'); // vLLM and click take both
        const std::string_view next =
            i + 1 < command.words.size() ? std::string_view(command.words[i + 1]) : "";
        apply_flag(options, flag, sign == std::string_view::npos ? next : word.substr(sign + 1));
    }
    return options.role();
}

} // namespace

std::optional<Role> role_of_arguments(const std::vector<ShellCommand>& commands) {
    const bool has_engine = find_engine(commands) != nullptr;
    std::optional<std::optional<Role>> agreed;
    for (const ShellCommand& command : commands) {
        const bool is_engine = engine_of(command).has_value();
        const auto role = has_engine == is_engine ? role_of_command(command) : std::nullopt;
        const bool counts = is_engine || role.has_value();
        if (counts && agreed && *agreed != role) {
            return std::nullopt;
        }
        if (counts) {
            agreed = role;
        }
    }
    return agreed.value_or(std::nullopt);
}

} // namespace di::discover
