#include "discover/container_env.hpp"

#include <algorithm>

namespace di::discover {
namespace {

/// A hostile spec may double a value with each entry; what is longer than this is no setting.
constexpr std::size_t k_longest_value = std::size_t{64} << 10U;

bool is_unresolved(const ContainerEnv& env, std::string_view name) {
    return std::find(env.unresolved.begin(), env.unresolved.end(), name) != env.unresolved.end();
}

struct Expanded {
    std::string text;
    bool complete = true; ///< no reference to a value that is not known
};

Expanded expand_all(std::string_view text, const ContainerEnv& env) {
    Expanded result;
    std::size_t at = 0;
    while (at < text.size() && result.text.size() < k_longest_value) {
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (text[at] != '$' || (next != '$' && next != '(')) {
            result.text += text[at++];
            continue;
        }
        if (next == '$') {
            result.text += '$';
            at += 2;
            continue;
        }
        const std::size_t end = text.find(')', at);
        if (end == std::string_view::npos) {
            result.text += text.substr(at);
            break;
        }
        const std::string_view name = text.substr(at + 2, end - at - 2);
        const auto known = env.values.find(name);
        result.complete = result.complete && !is_unresolved(env, name);
        result.text += known != env.values.end() ? std::string_view(known->second)
                                                 : text.substr(at, end + 1 - at);
        at = end + 1;
    }
    return result;
}

} // namespace

ContainerEnv read_env(const model::Container& container) {
    ContainerEnv env;
    for (const model::EnvEntry& entry : container.env) {
        auto value = entry.value ? expand_all(*entry.value, env) : Expanded{{}, false};
        const auto stale = std::find(env.unresolved.begin(), env.unresolved.end(), entry.name);
        if (stale != env.unresolved.end()) {
            env.unresolved.erase(stale);
        }
        if (value.complete) {
            env.values.insert_or_assign(entry.name, std::move(value.text));
        } else {
            env.values.erase(entry.name);
            env.unresolved.push_back(entry.name);
        }
    }
    return env;
}

std::string expand(std::string_view text, const ContainerEnv& env) {
    return expand_all(text, env).text;
}

} // namespace di::discover
