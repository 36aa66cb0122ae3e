#include "kube/requests.hpp"

#include "base/strings.hpp"
#include "kube/client.hpp"
#include "net/url.hpp"

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <utility>
#include <vector>

namespace di::kube {
namespace {

using Query = std::vector<std::pair<std::string_view, std::string>>;

/// Parts with an empty value are left out.
std::string make_query(const Query& query) {
    std::string text;
    for (const auto& [key, value] : query) {
        if (!value.empty()) {
            text += fmt::format("{}{}={}", text.empty() ? '?' : '&', key, net::escape_query(value));
        }
    }
    return text;
}

Query paging_query(Paging paging, std::string_view continue_token) {
    constexpr std::string_view k_page_size = "500"; // kubectl's --chunk-size
    return {{"limit", std::string(paging == Paging::by_pages ? k_page_size : "")},
            {"continue", std::string(continue_token)}};
}

/// "/api/v1" or "/apis/GROUP/VERSION", the namespace if any, the resource.
std::string
resource_path(const Permission& allowed, std::string_view version, std::string_view ns) {
    const auto root = allowed.group.empty() ? fmt::format("/api/{}", version)
                                            : fmt::format("/apis/{}/{}", allowed.group, version);
    const auto scope = ns.empty() ? std::string() : "/namespaces/" + net::escape(ns);
    return fmt::format("{}{}/{}", root, scope, allowed.resource);
}

} // namespace

Asked ask_pods(const PodQuery& query, Paging paging, std::string_view continue_token) {
    Query parts{{"labelSelector", query.label_selector}, {"fieldSelector", query.field_selector}};
    for (auto& part : paging_query(paging, continue_token)) {
        parts.push_back(std::move(part));
    }
    const auto ns = query.ns.value_or("");
    return {Use::list_pods,
            resource_path(permission(Use::list_pods), "v1", ns) + make_query(parts),
            ns};
}

Asked ask_graphs(std::string_view version,
                 const std::optional<std::string>& ns,
                 Paging paging,
                 std::string_view continue_token) {
    const auto scope = ns.value_or("");
    return {Use::list_graphs,
            resource_path(permission(Use::list_graphs), version, scope) +
                make_query(paging_query(paging, continue_token)),
            scope};
}

Asked ask_namespace(std::string_view ns) {
    const auto path = resource_path(permission(Use::read_namespace), "v1", "");
    return {Use::read_namespace, path + '/' + net::escape(ns), std::string(ns)};
}

Asked ask_review(Use use, std::string_view ns, std::string_view name) {
    const auto& wanted = permission(use);
    const auto& review = permission(Use::review_access);
    const std::string version = fmt::format("{}/v1", review.group);
    rapidjson::StringBuffer text;
    rapidjson::Writer<rapidjson::StringBuffer> json(text);
    const auto write = [&](std::string_view key, std::string_view value) {
        json.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
        json.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
    };
    json.StartObject();
    write("apiVersion", version);
    write("kind", "SelfSubjectAccessReview");
    json.Key("spec");
    json.StartObject();
    json.Key("resourceAttributes");
    json.StartObject();
    write("namespace", ns);
    write("verb", wanted.verb);
    write("group", wanted.group);
    write("resource", wanted.resource);
    write("subresource", wanted.subresource);
    write("name", name);
    json.EndObject();
    json.EndObject();
    json.EndObject();
    return {Use::review_access, resource_path(review, "v1", ""), "", text.GetString()};
}

Asked ask_exec(const model::ProbeTask& task) {
    const auto& allowed = permission(Use::open_exec);
    Query parts;
    for (const auto& word : task.argv) {
        parts.emplace_back("command", word);
    }
    parts.emplace_back("container", task.container);
    parts.emplace_back("stdin", "true"); // nothing is sent: its end tells the script that we left
    parts.emplace_back("stdout", "true");
    parts.emplace_back("stderr", "true");
    return {Use::open_exec,
            fmt::format("{}/{}/{}{}",
                        resource_path(allowed, "v1", task.ns),
                        net::escape(task.pod),
                        allowed.subresource,
                        make_query(parts)),
            task.ns};
}

std::string can_i_command(const Asked& asked) {
    const auto& allowed = permission(asked.use);
    std::vector<std::string> argv{"kubectl", "auth", "can-i", std::string(allowed.verb)};
    argv.push_back(allowed.group.empty() ? std::string(allowed.resource)
                                         : fmt::format("{}.{}", allowed.resource, allowed.group));
    if (!allowed.subresource.empty()) {
        argv.push_back(fmt::format("--subresource={}", allowed.subresource));
    }
    if (asked.ns.empty()) {
        argv.emplace_back("--all-namespaces");
    } else {
        argv.emplace_back("-n");
        argv.push_back(asked.ns);
    }
    return shell_command(argv);
}

} // namespace di::kube
