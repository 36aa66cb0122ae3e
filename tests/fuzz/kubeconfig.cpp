#include "base/strings.hpp"
#include "fuzz.hpp"
#include "kubeconfig/base64.hpp"
#include "kubeconfig/document.hpp"
#include "kubeconfig/exec_plugin.hpp"

#include <string>

namespace {

using namespace di;
using fuzz::require;

void require_paths(const kubeconfig::Config& config) {
    const auto resolved = [](const std::string& path) {
        return path.empty() || path.front() == '/';
    };
    for (const auto& [name, cluster] : config.clusters) {
        require(resolved(cluster.ca_file), "a cluster's path is absolute");
    }
    for (const auto& [name, user] : config.users) {
        require(resolved(user.certificate_file) && resolved(user.key_file) &&
                    resolved(user.token_file),
                "a user's path is absolute");
    }
}

void require_base64(std::string_view input) {
    const auto bytes = kubeconfig::from_base64(input);
    if (const auto* const good = std::get_if<std::string>(&bytes)) {
        const auto again = kubeconfig::from_base64(kubeconfig::to_base64(*good));
        const auto* const same = std::get_if<std::string>(&again);
        require(same != nullptr && *same == *good, "base64 goes round");
    } else {
        require(std::get_if<kubeconfig::BadBase64>(&bytes)->at <= input.size(),
                "the bad byte is one of the text");
    }
    const auto there = kubeconfig::from_base64(kubeconfig::to_base64(input));
    const auto* const back = std::get_if<std::string>(&there);
    require(back != nullptr && *back == input, "every text goes round through base64");
}

} // namespace

DI_FUZZ_TARGET(kubeconfig) {
    const auto config = kubeconfig::parse_config(input, "/home/user/.kube/config");
    const auto again = kubeconfig::parse_config(input, "/home/user/.kube/config");
    require(config.ok() == again.ok(), "the same text reads the same");
    if (config.ok()) {
        require_paths(*config);
    } else {
        require(config.error().kind == ErrorKind::config || config.error().kind == ErrorKind::parse,
                "a bad file is a configuration error");
        require(!config.error().cause.empty(), "an error has a cause");
        require(contains(to_text(config.error()), "/home/user/.kube/config"),
                "an error names the file");
    }
    require_base64(input);
    for (const char* const version :
         {"client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"}) {
        const auto credentials = kubeconfig::parse_exec_credential(input, version, {});
        require(credentials.ok() || !credentials.error().what.empty(), "an error says what failed");
    }
}
