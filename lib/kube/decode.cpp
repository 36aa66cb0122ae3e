#include "kube/decode.hpp"

#include "kube/decode_items.hpp"
#include "kube/decode_json.hpp"

#include <fmt/format.h>

namespace di::kube {
namespace {

using json::Json;

/// An error object in place of a list, as a proxy may pass it on (meta/v1 Status).
std::string why_no_list(const Json& document) {
    const std::string kind = json::text(document, "kind");
    const std::string message = json::text(document, "message");
    if (kind == "Status" && !message.empty()) {
        return "the answer is a Status: " + message;
    }
    return kind.empty() ? "the document is no list" : fmt::format("a {} is no list", kind);
}

template<class T, class Decode>
Result<Page<T>> decode_page(std::string_view text, std::string_view list, Decode decode) {
    const auto document = json::parse(text, list);
    if (!document) {
        return document.error();
    }
    // `items: null` is a legal empty list; no `items` at all is another kind of object.
    const Json& items = json::member(*document, "items");
    const bool has_items = document->IsObject() && document->HasMember("items");
    if (!has_items || !(items.IsArray() || items.IsNull())) {
        return json::broken(list, why_no_list(*document));
    }
    Page<T> page;
    page.continue_token = json::text(json::member(*document, "metadata"), "continue");
    page.items.reserve(items.IsArray() ? items.Size() : 0);
    for (const Json* item : json::elements(items)) {
        if (json::text(json::member(*item, "metadata"), "name").empty()) {
            return json::broken(list, fmt::format("item {} has no name", page.items.size()));
        }
        page.items.push_back(decode(*item));
    }
    return page;
}

} // namespace

Result<Page<model::Pod>> decode_pods(std::string_view json) {
    return decode_page<model::Pod>(json, "pods", decode_pod);
}

Result<Page<model::GraphDeployment>> decode_graphs(std::string_view json) {
    return decode_page<model::GraphDeployment>(json, "dynamographdeployments", decode_graph);
}

Access decode_review(std::string_view json) {
    const auto document = json::parse(json, "selfsubjectaccessreviews");
    if (!document) {
        return Access::unknown;
    }
    const Json& status = json::member(*document, "status");
    const Json& allowed = json::member(status, "allowed");
    if (!allowed.IsBool()) {
        return Access::unknown;
    }
    if (allowed.GetBool()) {
        return Access::allowed;
    }
    // A broken authorizer says "not allowed", too; only a plain answer is a denial.
    return json::text(status, "evaluationError").empty() || json::flag(status, "denied")
               ? Access::denied
               : Access::unknown;
}

Result<Page<std::string>> decode_node_names(std::string_view json) {
    return decode_page<std::string>(json, "nodes", [](const Json& item) {
        return json::text(json::member(item, "metadata"), "name");
    });
}

} // namespace di::kube
