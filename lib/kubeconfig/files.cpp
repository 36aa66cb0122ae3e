#include "kubeconfig/files.hpp"

#include "base/strings.hpp"
#include "kubeconfig/document.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kubeconfig {

std::vector<std::string> choose_files(const std::optional<std::string>& flag,
                                      const Surroundings& surroundings) {
    if (flag && !flag->empty()) {
        return {*flag};
    }
    const auto list = surroundings.environment("KUBECONFIG").value_or("");
    if (list.empty()) {
        const auto home = surroundings.environment("HOME").value_or("");
        return home.empty() ? std::vector<std::string>() : std::vector{home + "/.kube/config"};
    }
    std::vector<std::string> paths;
    for (const auto path : split(list, ':')) {
        if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end()) {
            paths.emplace_back(path);
        }
    }
    return paths;
}

void merge(Config& config, Config more) {
    config.clusters.merge(more.clusters); // std::map::merge keeps what is already there
    config.users.merge(more.users);
    config.contexts.merge(more.contexts);
    if (config.current_context.empty()) {
        config.current_context = std::move(more.current_context);
    }
    std::move(more.warnings.begin(), more.warnings.end(), std::back_inserter(config.warnings));
}

Result<Config> load_files(const std::optional<std::string>& flag,
                          const Surroundings& surroundings) {
    const bool named_by_flag = flag && !flag->empty();
    Config config;
    for (const auto& path : choose_files(flag, surroundings)) {
        const auto file =
            surroundings.read_file(resolve_path(path, surroundings.working_directory));
        if (file.outcome == FileText::Outcome::missing && !named_by_flag) {
            continue;
        }
        if (file.outcome != FileText::Outcome::read) {
            return Error{ErrorKind::config,
                         fmt::format("error loading config file \"{}\"", path),
                         "",
                         file.detail,
                         shell_command({"ls", "-l", path})};
        }
        auto parsed = parse_config(file.text, resolve_path(path, surroundings.working_directory));
        if (!parsed) {
            return parsed;
        }
        merge(config, std::move(*parsed));
    }
    return config;
}

} // namespace di::kubeconfig
