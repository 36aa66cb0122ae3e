#include "kubeconfig/in_cluster.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

namespace di::kubeconfig {
namespace {

const std::string k_directory = "/var/run/secrets/kubernetes.io/serviceaccount/";

bool possible(const Surroundings& surroundings) {
    const auto is_set = [&](const char* name) {
        return !surroundings.environment(name).value_or("").empty();
    };
    return is_set("KUBERNETES_SERVICE_HOST") && is_set("KUBERNETES_SERVICE_PORT") &&
           surroundings.read_file(k_directory + "token").outcome == FileText::Outcome::read;
}

} // namespace

std::optional<Selection> select_in_cluster(Selection selection, const Surroundings& surroundings) {
    if (!possible(surroundings)) {
        return std::nullopt;
    }
    const auto host = *surroundings.environment("KUBERNETES_SERVICE_HOST");
    const auto port = *surroundings.environment("KUBERNETES_SERVICE_PORT");
    Cluster& cluster = selection.cluster;
    User& user = selection.user;
    cluster.server = contains(host, ":") ? fmt::format("https://[{}]:{}", host, port)
                                         : fmt::format("https://{}:{}", host, port);
    if (!cluster.insecure && cluster.ca_file.empty()) {
        cluster.ca_file = k_directory + "ca.crt";
    }
    if (user.token.empty() && user.username.empty()) {
        user.token_file = k_directory + "token";
    }
    selection.cluster_name = "in-cluster";
    selection.user_name = "service account";
    return selection;
}

std::string in_cluster_namespace(const Surroundings& surroundings) {
    if (!possible(surroundings)) {
        return {};
    }
    const auto from_environment = surroundings.environment("POD_NAMESPACE").value_or("");
    return !from_environment.empty()
               ? from_environment
               : trimmed(surroundings.read_file(k_directory + "namespace").text);
}

} // namespace di::kubeconfig
