#include "kube/client.hpp"

#include "kube/api_error.hpp"
#include "kube/decode.hpp"
#include "kube/requests.hpp"
#include "kube/session.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <string_view>

namespace di::kube {
namespace {

constexpr int k_ok = 200;
constexpr int k_forbidden = 403;
constexpr int k_not_found = 404;
constexpr int k_gone = 410; // the snapshot that a continuation reads has expired

template<class T> struct ListKind {
    std::string what; ///< for errors: "cannot list pods"
    std::function<Asked(Paging, std::string_view continue_token)> ask;
    Result<Page<T>> (*decode)(std::string_view json);
};

/// What a list request gave: items, or the answer that was none.
template<class T> struct Read {
    int status = k_ok;
    Listed<T> listed;
    Error refused; ///< when status is not 200
};

template<class T>
Result<Read<T>> read_list(Session& session, const ListKind<T>& kind, Pages pages) {
    Read<T> read;
    Paging paging = Paging::by_pages;
    std::string token;
    for (;;) {
        const Asked asked = kind.ask(paging, token);
        auto response = session.get(asked);
        if (!response) {
            return response.error();
        }
        if (response->status == k_gone && !token.empty() && paging == Paging::by_pages) {
            read.listed = {};
            paging = Paging::all_at_once;
            token.clear();
            continue;
        }
        if (response->status != k_ok) {
            read.status = response->status;
            read.refused = to_error(kind.what, asked, *response);
            return read;
        }
        auto page = kind.decode(response->body);
        if (!page) {
            return page.error();
        }
        for (auto& item : page->items) {
            read.listed.items.push_back(std::move(item));
        }
        if (pages == Pages::keep) {
            read.listed.pages.push_back(std::move(response->body));
        }
        token = page->continue_token;
        if (token.empty()) {
            return read;
        }
    }
}

} // namespace

Result<Client> Client::open(model::ClientConfig config, net::Loop& loop) {
    auto session = Session::open(std::move(config), loop);
    if (!session) {
        return session.error();
    }
    return Client(std::move(*session));
}

Client::Client(std::shared_ptr<Session> session)
    : session_(std::move(session)) {}

Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

Result<Listed<model::Pod>> Client::list_pods(const PodQuery& query, Pages pages) {
    const ListKind<model::Pod> kind{
        "cannot list pods",
        [&](Paging paging, std::string_view token) { return ask_pods(query, paging, token); },
        decode_pods};
    auto read = read_list(*session_, kind, pages);
    if (!read) {
        return read.error();
    }
    if (read->status != k_ok) {
        return read->refused;
    }
    return std::move(read->listed);
}

Result<Graphs> Client::list_graph_deployments(const std::optional<std::string>& ns, Pages pages) {
    // The group alone decides nothing: the GPU operator serves other kinds of nvidia.com.
    constexpr std::array<std::string_view, 2> k_versions{"v1beta1", "v1alpha1"};
    for (const auto version : k_versions) {
        const ListKind<model::GraphDeployment> kind{"cannot list DynamoGraphDeployments",
                                                    [&](Paging paging, std::string_view token) {
                                                        return ask_graphs(
                                                            version, ns, paging, token);
                                                    },
                                                    decode_graphs};
        auto read = read_list(*session_, kind, pages);
        if (!read) {
            return read.error();
        }
        Graphs graphs;
        if (read->status == k_ok) {
            const auto& group = permission(Use::list_graphs).group;
            graphs.presence = Presence::present;
            graphs.api_version = fmt::format("{}/{}", group, version);
            graphs.listed = std::move(read->listed);
            return graphs;
        }
        if (read->status == k_forbidden) {
            graphs.presence = Presence::forbidden;
            return graphs;
        }
        if (read->status != k_not_found) {
            return read->refused;
        }
    }
    return Graphs{};
}

Result<Presence> Client::namespace_presence(const std::string& ns) {
    const Asked asked = ask_namespace(ns);
    const auto response = session_->get(asked);
    if (!response) {
        return response.error();
    }
    switch (response->status) {
    case k_ok:
        return Presence::present;
    case k_not_found:
        return Presence::absent;
    case k_forbidden:
        return Presence::forbidden;
    default:
        return to_error("cannot read the namespace", asked, *response);
    }
}

std::vector<Access> Client::review_access(const std::vector<AccessQuestion>& questions,
                                          Millis patience) {
    std::vector<Asked> asked;
    asked.reserve(questions.size());
    for (const auto& question : questions) {
        asked.push_back(ask_review(question.use, question.ns, question.name));
    }
    std::vector<Access> answers;
    answers.reserve(questions.size());
    for (const auto& response : session_->ask_all(asked, patience)) {
        const bool good = response.ok() && response->status / 100 == 2;
        answers.push_back(good ? decode_review(response->body) : Access::unknown);
    }
    return answers;
}

std::vector<std::string> Client::take_warnings() {
    return session_->take_warnings();
}

} // namespace di::kube
