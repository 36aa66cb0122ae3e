// Questions to the API server and their typed answers. One server, one set of credentials, one
// thread; each call works on the loop until its answer is there.
#pragma once

#include "base/clock.hpp"
#include "base/result.hpp"
#include "kube/permissions.hpp"
#include "model/api_objects.hpp"
#include "model/client_config.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace di::net {
class Loop;
}

namespace di::kube {

class Session;

/// Which pods to list. `ns` none: all namespaces. Selectors as kubectl's -l and --field-selector.
struct PodQuery {
    std::optional<std::string> ns;
    std::string label_selector;
    std::string field_selector;
};

enum class Presence : std::uint8_t {
    present,
    absent,
    forbidden, ///< we may not look: no statement about the object
};

/// May we do this? `ns` "" means in all namespaces, `name` "" to any object.
struct AccessQuestion {
    Use use = Use::list_pods;
    std::string ns;
    std::string name;
};

/// What to do with the JSON that a list was decoded from: recordings keep it.
enum class Pages : std::uint8_t { drop, keep };

template<class T> struct Listed {
    std::vector<T> items;
    std::vector<std::string> pages; ///< as the server sent them; empty unless kept
};

/// What asking for DynamoGraphDeployments gave. `absent`: the operator's API is not served here.
struct Graphs {
    Presence presence = Presence::absent;
    std::string api_version; ///< nvidia.com/v1alpha1, nvidia.com/v1beta1; "" when absent
    Listed<model::GraphDeployment> listed;
};

class Client {
public:
    /// Checks what can be checked without the network: server URL, proxy, header values.
    static Result<Client> open(model::ClientConfig config, net::Loop& loop);

    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    Client(Client&&) noexcept;
    Client& operator=(Client&&) noexcept;
    ~Client();

    /// All pages, 500 pods each; starts over in one piece when the server's snapshot expired.
    /// 401 is ErrorKind::auth, 403 permission (hint: how to check), no answer network.
    Result<Listed<model::Pod>> list_pods(const PodQuery& query, Pages pages = Pages::drop);

    /// In the newest version of nvidia.com that the server offers. 403 and 404 are answers.
    Result<Graphs> list_graph_deployments(const std::optional<std::string>& ns,
                                          Pages pages = Pages::drop);

    Result<Presence> namespace_presence(const std::string& ns);

    /// One question for each of them, all at once. Never fails: what was not answered within
    /// `patience` is unknown, and the real call decides.
    std::vector<Access> review_access(const std::vector<AccessQuestion>& questions,
                                      Millis patience);

    /// Warnings that came with the configuration or with answers (HTTP `Warning: 299`), each
    /// once, since the last call.
    std::vector<std::string> take_warnings();

    /// What exec streams share with ordinary requests.
    [[nodiscard]] const std::shared_ptr<Session>& session() const { return session_; }

private:
    explicit Client(std::shared_ptr<Session> session);

    std::shared_ptr<Session> session_;
};

} // namespace di::kube
