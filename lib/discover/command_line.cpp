#include "discover/command_line.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <array>

namespace di::discover {
namespace {

using model::Backend;

constexpr int k_deepest_script = 4;

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

bool is_shell(std::string_view word) {
    static constexpr std::array<std::string_view, 6> k_shells = {
        "sh", "bash", "dash", "ash", "zsh", "ksh"};
    return std::find(k_shells.begin(), k_shells.end(), base_name(word)) != k_shells.end();
}

/// The index of the script in `sh -c SCRIPT`, `bash -euo pipefail -c SCRIPT`, `bash -lc SCRIPT`.
std::optional<std::size_t> find_script(const std::vector<std::string>& words, std::size_t shell) {
    bool has_script = false;
    std::size_t at = shell + 1;
    for (; at < words.size() && words[at].size() > 1; ++at) {
        const std::string& word = words[at];
        if (word == "--") {
            ++at;
            break;
        }
        if (word.front() != '-' && word.front() != '+') {
            break;
        }
        if (word[1] != '-') {
            has_script = has_script || word.find('c') != std::string::npos;
            at += word.find('o') != std::string::npos ? 1 : 0; // -o takes a word
        }
    }
    return has_script && at < words.size() ? std::optional(at) : std::nullopt;
}

class CommandReader {
public:
    void add(ShellCommand command, int depth) {
        apply_env(command);
        for (std::size_t i = 0; i < command.words.size() && depth < k_deepest_script; ++i) {
            const auto script =
                is_shell(command.words[i]) ? find_script(command.words, i) : std::nullopt;
            if (script) {
                add_script(command, *script, depth);
                return;
            }
        }
        commands.push_back(std::move(command));
    }

    std::vector<ShellCommand> commands;

private:
    void add_script(const ShellCommand& command, std::size_t script, int depth) {
        ShellContext context{command.env, command.unknown, {}};
        if (script + 2 < command.words.size()) { // the word after the script is $0
            context.positional.assign(command.words.begin() + static_cast<std::ptrdiff_t>(script) +
                                          2,
                                      command.words.end());
        }
        for (ShellCommand& inner : read_script(command.words[script], context)) {
            add(std::move(inner), depth + 1);
        }
    }

    /// `env A=1 B=2 command ...`, also behind words that only start what follows them.
    static void apply_env(ShellCommand& command) {
        const auto& words = command.words;
        const auto env = std::find_if_not(words.begin(), words.end(), starts_the_rest);
        if (env == words.end() || base_name(*env) != "env") {
            return;
        }
        for (auto word = env + 1; word != words.end(); ++word) {
            const std::size_t sign = word->find('=');
            if (*word == "-i" || *word == "--ignore-environment") {
                command.env.clear();
                command.unknown.clear();
            } else if (*word == "-u" && word + 1 != words.end()) {
                take_away(command, *++word);
            } else if (word->starts_with("--unset=")) {
                take_away(command, word->substr(sign + 1));
            } else if (word->starts_with('-')) {
                continue;
            } else if (sign == std::string::npos) {
                break;
            } else {
                const auto name = word->substr(0, sign);
                take_away(command, name);
                command.env.emplace(name, word->substr(sign + 1));
            }
        }
    }

    static bool starts_the_rest(const std::string& word) {
        static constexpr std::array<std::string_view, 8> k_launchers = {
            "exec", "command", "nohup", "setsid", "time", "nice", "numactl", "stdbuf"};
        return word.starts_with('-') ||
               std::find(k_launchers.begin(), k_launchers.end(), base_name(word)) !=
                   k_launchers.end();
    }

    static void take_away(ShellCommand& command, const std::string& name) {
        command.env.erase(name);
        std::erase(command.unknown, name);
    }
};

struct Named {
    std::string_view name;
    Backend backend;
};

/// A Python module, whole or up to a dot.
std::optional<Backend> engine_of_module(std::string_view module) {
    static constexpr std::array<Named, 9> k_modules = {{
        {"dynamo.vllm", Backend::vllm},
        {"dynamo.sglang", Backend::sglang},
        {"dynamo.trtllm", Backend::trtllm},
        {"dynamo.mocker", Backend::mocker},
        {"vllm.entrypoints", Backend::vllm},
        {"sglang.launch_server", Backend::sglang},
        {"sglang.srt", Backend::sglang},
        {"tensorrt_llm.serve", Backend::trtllm},
        {"tensorrt_llm.commands", Backend::trtllm},
    }};
    for (const Named& known : k_modules) {
        if (module.starts_with(known.name) &&
            (module.size() == known.name.size() || module[known.name.size()] == '.')) {
            return known.backend;
        }
    }
    return std::nullopt;
}

/// A script under the engine's folder, such as /workspace/vllm/inference_api.py.
std::optional<Backend> engine_of_path(std::string_view word) {
    if (!word.ends_with(".py")) {
        return std::nullopt;
    }
    for (const std::string_view folder : split(word.substr(0, word.rfind('/') + 1), '/')) {
        const Backend backend = backend_of_name(folder);
        if (backend != Backend::unknown) {
            return backend;
        }
    }
    return std::nullopt;
}

std::optional<Backend> engine_of_program(std::string_view program, std::string_view next) {
    static constexpr std::array<Named, 3> k_servers = {
        {{"vllm", Backend::vllm}, {"sglang", Backend::sglang}, {"trtllm-serve", Backend::trtllm}}};
    for (const Named& known : k_servers) {
        if (program == known.name && (next == "serve" || known.backend == Backend::trtllm)) {
            return known.backend;
        }
    }
    return std::nullopt;
}

} // namespace

std::vector<ShellCommand> read_commands(const model::Container& container,
                                        const ContainerEnv& env) {
    ShellCommand whole{{}, env.values, env.unresolved};
    for (const auto* part : {&container.command, &container.args}) {
        for (const std::string& word : *part) {
            whole.words.push_back(expand(word, env));
        }
    }
    CommandReader reader;
    if (!whole.words.empty()) {
        reader.add(std::move(whole), 0);
    }
    return std::move(reader.commands);
}

std::optional<Backend> engine_of(const ShellCommand& command) {
    std::string_view previous;
    for (std::size_t i = 0; i < command.words.size(); ++i) {
        const std::string_view word = command.words[i];
        const std::string_view next =
            i + 1 < command.words.size() ? std::string_view(command.words[i + 1]) : "";
        auto found = previous == "-m" ? engine_of_module(word) : std::nullopt;
        if (!found && !previous.starts_with('-')) {
            found = engine_of_program(base_name(word), next);
        }
        if (!found && !previous.starts_with("--")) {
            found = engine_of_path(word);
        }
        if (found) {
            return found;
        }
        previous = word;
    }
    return std::nullopt;
}

const ShellCommand* find_engine(const std::vector<ShellCommand>& commands) {
    const auto found =
        std::find_if(commands.begin(), commands.end(), [](const ShellCommand& command) {
            return engine_of(command).has_value();
        });
    return found == commands.end() ? nullptr : &*found;
}

Backend backend_of_image(std::string_view image) {
    static constexpr std::array<Named, 5> k_hints = {{{"sglang", Backend::sglang},
                                                      {"tensorrtllm", Backend::trtllm},
                                                      {"tensorrt-llm", Backend::trtllm},
                                                      {"trtllm", Backend::trtllm},
                                                      {"vllm", Backend::vllm}}};
    for (const Named& hint : k_hints) {
        if (contains_ignoring_case(image, hint.name)) {
            return hint.backend;
        }
    }
    return Backend::unknown;
}

Backend backend_of_name(std::string_view name) {
    static constexpr std::array<Named, 5> k_names = {{{"vllm", Backend::vllm},
                                                      {"sglang", Backend::sglang},
                                                      {"trtllm", Backend::trtllm},
                                                      {"tensorrt_llm", Backend::trtllm},
                                                      {"mocker", Backend::mocker}}};
    const auto* found = std::find_if(
        k_names.begin(), k_names.end(), [&](const Named& known) { return known.name == name; });
    return found == k_names.end() ? Backend::unknown : found->backend;
}

bool serves_gpu_memory(const std::vector<ShellCommand>& commands) {
    const auto is_server = [](const std::string& word) {
        return word.starts_with("gpu_memory_service") || base_name(word) == "gpu-memory-service" ||
               contains(word, "/gpu_memory_service/");
    };
    return std::any_of(commands.begin(), commands.end(), [&](const ShellCommand& command) {
        return std::any_of(command.words.begin(), command.words.end(), is_server);
    });
}

} // namespace di::discover
