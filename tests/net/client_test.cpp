#include "kube/client.hpp"
#include "net/fixtures.hpp"

#include <fmt/format.h>

using namespace di;
using namespace di::test;

namespace {

std::string page_of(const std::string& names, const std::string& token = "") {
    std::string items;
    for (const char name : names) {
        items +=
            fmt::format("{}{{\"metadata\":{{\"name\":\"{}\"}}}}", items.empty() ? "" : ",", name);
    }
    return answer(200,
                  fmt::format(R"({{"kind":"List","metadata":{{"continue":"{}"}},"items":[{}]}})",
                              token,
                              items));
}

std::string failure(int code, const std::string& reason, const std::string& message) {
    return answer(
        code,
        fmt::format(
            R"({{"kind":"Status","status":"Failure","code":{},"reason":"{}","message":"{}"}})",
            code,
            reason,
            message));
}

std::string target_of(const std::string& head) {
    const auto start = head.find(' ') + 1;
    return head.substr(start, head.find(' ', start) - start);
}

/// A server that answers each target from a table, and remembers what was asked.
struct TableServer {
    std::map<std::string, std::vector<std::string>> answers; ///< one after the other, last stays
    std::vector<std::string> asked;
    ScriptedServer server{Wire::tls, each_request([this](const std::string& head) {
                              asked.push_back(target_of(head));
                              heads.push_back(head);
                              auto& left = answers[asked.back()];
                              if (left.empty()) {
                                  return answer(404, "404 page not found\n");
                              }
                              auto next = left.front();
                              if (left.size() > 1) {
                                  left.erase(left.begin());
                              }
                              return next;
                          })};
    std::vector<std::string> heads;
    std::unique_ptr<net::Loop> loop = open_loop();
    kube::Client client = open_client(config_of(server), *loop);
};

std::string names_of(const std::vector<model::Pod>& pods) {
    std::string names;
    for (const auto& pod : pods) {
        names += pod.name;
    }
    return names;
}

constexpr auto k_pods = "/api/v1/namespaces/n/pods?limit=500";

} // namespace

TEST_CASE("a list is read to its last page over one connection") {
    TableServer table;
    table.answers[k_pods] = {page_of("ab", "t1")};
    table.answers[std::string(k_pods) + "&continue=t1"] = {page_of("", "t2")};
    table.answers[std::string(k_pods) + "&continue=t2"] = {page_of("c")};
    const auto pods = table.client.list_pods({"n", "", ""}, kube::Pages::keep);
    REQUIRE(pods);
    CHECK(names_of(pods->items) == "abc");
    CHECK(pods->pages.size() == 3);
    CHECK(table.server.connections() == 1);
    const auto again = table.client.list_pods({"n", "", ""});
    REQUIRE(again);
    CHECK(again->pages.empty());
}

TEST_CASE("an expired continuation starts over, in one piece, once") {
    TableServer table;
    table.answers[k_pods] = {page_of("ab", "t1")};
    table.answers[std::string(k_pods) + "&continue=t1"] = {failure(410, "Expired", "too old")};
    table.answers["/api/v1/namespaces/n/pods"] = {page_of("xyz")};
    const auto pods = table.client.list_pods({"n", "", ""}, kube::Pages::keep);
    REQUIRE(pods);
    CHECK(names_of(pods->items) == "xyz");
    CHECK(pods->pages.size() == 1);
}

TEST_CASE("an answer without a list is an error of its kind") {
    struct Case {
        std::string answer;
        ErrorKind kind;
        std::string cause;
    };

    const std::vector<Case> cases{
        {failure(403, "Forbidden", "pods is forbidden"),
         ErrorKind::permission,
         "Error from server (Forbidden): pods is forbidden"},
        {answer(401, ""), ErrorKind::auth, "You must be logged in"},
        {answer(200, "{\"items\":"), ErrorKind::parse, ""},
        {answer(200, R"({"kind":"Pod"})"), ErrorKind::parse, "Pod is no list"},
        {failure(410, "Expired", "too old"), ErrorKind::protocol, "Expired"},
        {answer(302, "", "Location: /login\r\n"), ErrorKind::protocol, "answered 302"},
        {answer(503, "", "Retry-After: 60\r\n"), ErrorKind::network, "answered 503"},
    };
    for (const auto& wanted : cases) {
        CAPTURE(wanted.answer);
        TableServer table;
        table.answers[k_pods] = {wanted.answer};
        const auto pods = table.client.list_pods({"n", "", ""});
        REQUIRE_FALSE(pods);
        CHECK(pods.error().kind == wanted.kind);
        CHECK_THAT(pods.error().cause, Catch::Contains(wanted.cause));
    }
}

TEST_CASE("a busy server is asked again, as long as it wants") {
    TableServer table;
    table.answers[k_pods] = {answer(429, "", "Retry-After: 0\r\n"), answer(503, ""), page_of("a")};
    const auto pods = table.client.list_pods({"n", "", ""});
    REQUIRE(pods);
    CHECK(names_of(pods->items) == "a");
    CHECK(table.asked.size() == 3);
}

TEST_CASE(
    "X7 (deviation) refused credentials are renewed once, and stay refused if that does not help") {
    TableServer table;
    table.answers[k_pods] = {answer(401, ""), page_of("a"), answer(401, "")};
    auto config = config_of(table.server);
    int renewals = 0;
    config.renew = [&]() -> Result<model::Credentials> {
        model::Credentials fresh;
        fresh.token = model::Secret(fmt::format("fresh{}", ++renewals));
        return fresh;
    };
    auto client = open_client(std::move(config), *table.loop);
    CHECK(client.list_pods({"n", "", ""}));
    CHECK_THAT(table.heads.back(), Catch::Contains("Bearer fresh1"));
    const auto refused = client.list_pods({"n", "", ""});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::auth);
    CHECK(renewals == 2);
}

TEST_CASE("X3 and I21: credentials are renewed when their lifetime is over, the old ones stay if "
          "that fails") {
    TableServer table;
    table.answers[k_pods] = {page_of("a")};
    auto config = config_of(table.server);
    config.credentials.lifetime = std::chrono::seconds(0);
    int renewals = 0;
    config.renew = [&]() -> Result<model::Credentials> {
        ++renewals;
        return Error{ErrorKind::auth, "getting credentials", "", "plugin broke", ""};
    };
    auto client = open_client(std::move(config), *table.loop);
    CHECK(client.list_pods({"n", "", ""}));
    CHECK(renewals == 1);
    CHECK_THAT(table.heads.back(), Catch::Contains("Bearer t0"));
    CHECK(client.take_warnings() ==
          std::vector<std::string>{"cannot renew the credentials: plugin broke"});
}

TEST_CASE("graphs are read in the newest version that is served") {
    TableServer table;
    const std::string newest =
        "/apis/nvidia.com/v1beta1/namespaces/n/dynamographdeployments?limit=500";
    const std::string older =
        "/apis/nvidia.com/v1alpha1/namespaces/n/dynamographdeployments?limit=500";
    auto graphs = table.client.list_graph_deployments("n");
    REQUIRE(graphs);
    CHECK(graphs->presence == kube::Presence::absent);
    table.answers[older] = {page_of("g")};
    graphs = table.client.list_graph_deployments("n", kube::Pages::keep);
    REQUIRE(graphs);
    CHECK(graphs->presence == kube::Presence::present);
    CHECK(graphs->api_version == "nvidia.com/v1alpha1");
    CHECK(graphs->listed.items.size() == 1);
    CHECK(graphs->listed.pages.size() == 1);
    table.answers[newest] = {page_of("gh")};
    graphs = table.client.list_graph_deployments("n");
    REQUIRE(graphs);
    CHECK(graphs->api_version == "nvidia.com/v1beta1");
    table.answers[newest] = {failure(403, "Forbidden", "no")};
    graphs = table.client.list_graph_deployments("n");
    REQUIRE(graphs);
    CHECK(graphs->presence == kube::Presence::forbidden);
    table.answers[newest] = {answer(500, "boom")};
    CHECK_FALSE(table.client.list_graph_deployments("n"));
}

TEST_CASE("a namespace is there, or not, or not ours to see") {
    TableServer table;
    table.answers["/api/v1/namespaces/here"] = {answer(200, "{}")};
    table.answers["/api/v1/namespaces/hidden"] = {failure(403, "Forbidden", "no")};
    table.answers["/api/v1/namespaces/broken"] = {answer(500, "boom")};
    CHECK(*table.client.namespace_presence("here") == kube::Presence::present);
    CHECK(*table.client.namespace_presence("gone") == kube::Presence::absent);
    CHECK(*table.client.namespace_presence("hidden") == kube::Presence::forbidden);
    CHECK_FALSE(table.client.namespace_presence("broken"));
}

TEST_CASE("the server's warnings are kept, each once") {
    TableServer table;
    table.answers["/api/v1/namespaces/n"] = {
        answer(200, "{}", "Warning: 299 - \"old\"\r\nwarning: 299 - \"older\", 299 - \"old\"\r\n")};
    CHECK(table.client.namespace_presence("n"));
    CHECK(table.client.namespace_presence("n"));
    CHECK(table.client.take_warnings() == std::vector<std::string>{"old", "older"});
    CHECK(table.client.take_warnings().empty());
}

TEST_CASE("an unusable configuration is refused before anything is sent") {
    const auto loop = open_loop();
    model::ClientConfig config;
    config.server = "ftp://h";
    CHECK(kube::Client::open(config, *loop).error().kind == ErrorKind::config);
    config.server = "no url";
    CHECK(kube::Client::open(config, *loop).error().kind == ErrorKind::config);
    config.server = "https://h";
    config.proxy.proxy_url = "gopher://p";
    CHECK(kube::Client::open(config, *loop).error().kind == ErrorKind::config);
    config.proxy.proxy_url.clear();
    config.credentials.token = model::Secret("a\nb");
    CHECK(kube::Client::open(config, *loop).error().kind == ErrorKind::auth);
}
