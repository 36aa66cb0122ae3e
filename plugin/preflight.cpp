#include "preflight.hpp"

#include "base/strings.hpp"
#include "role_manifest.hpp"

#include <algorithm>
#include <array>

namespace di::app {
namespace {

using kube::Access;
using kube::Use;

/// A question by name costs two requests a pod.
constexpr std::size_t k_most_asked = 100;

Access of(const Granted& granted, Use use) {
    const auto found = granted.find(use);
    return found == granted.end() ? Access::unknown : found->second;
}

/// What is not known is tried: the real call decides.
Route route_of(Access get, Access create) {
    if (get != Access::denied) {
        return Route::websocket;
    }
    return create == Access::allowed  ? Route::kubectl
           : create == Access::denied ? Route::denied
                                      : Route::websocket;
}

} // namespace

Granted review(kube::Client& client, const std::string& ns, Millis patience) {
    std::vector<kube::AccessQuestion> questions;
    for (const auto use : granted_uses()) {
        questions.push_back({use, ns, ""});
    }
    const auto answers = client.review_access(questions, patience);
    Granted granted;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        granted[questions[i].use] = answers[i];
    }
    return granted;
}

std::vector<Use> denied_uses(const Granted& granted) {
    std::vector<Use> denied;
    for (const auto& [use, access] : granted) {
        if (access == Access::denied) {
            denied.push_back(use);
        }
    }
    return denied;
}

std::vector<Route> routes(kube::Client& client,
                          const Granted& granted,
                          const std::vector<model::Worker>& workers,
                          Millis patience) {
    const auto get = of(granted, Use::open_exec);
    const auto create = of(granted, Use::authorize_exec);
    std::vector<Route> result(workers.size(), route_of(get, create));
    if (get != Access::denied) {
        return result;
    }
    std::vector<kube::AccessQuestion> questions;
    for (std::size_t i = 0; i < std::min(workers.size(), k_most_asked); ++i) {
        questions.push_back({Use::open_exec, workers[i].ns, workers[i].pod});
        questions.push_back({Use::authorize_exec, workers[i].ns, workers[i].pod});
    }
    const auto answers = client.review_access(questions, patience);
    for (std::size_t i = 0; i < workers.size(); ++i) {
        result[i] = i < k_most_asked             ? route_of(answers[2 * i], answers[2 * i + 1])
                    : result[i] == Route::denied ? Route::websocket
                                                 : result[i];
    }
    return result;
}

void learn_from_refusal(Granted& granted, std::string_view words) {
    struct Sign {
        std::string_view part;
        Use use;
    };

    // k8s.io/apiserver, responsewriters.forbiddenMessage; the last is our own, of Kubernetes 1.35.
    constexpr std::array k_signs{
        Sign{"cannot list resource \"pods\"", Use::list_pods},
        Sign{"cannot get resource \"pods/exec\"", Use::open_exec},
        Sign{"cannot create resource \"pods/exec\"", Use::authorize_exec},
        Sign{"exec needs the verb create", Use::authorize_exec},
    };
    for (const auto& sign : k_signs) {
        if (contains(words, sign.part)) {
            granted[sign.use] = Access::denied;
        }
    }
}

} // namespace di::app
