#include "kubesim/target.hpp"

#include "base/strings.hpp"

#include <deque>

namespace di::kubesim {
namespace {

std::string resource_verb(const Request& request, const Attributes& attributes) {
    static const std::map<std::string_view, std::string_view> k_verbs{
        {"POST", "create"}, {"PUT", "update"}, {"PATCH", "patch"}, {"DELETE", "delete"}};
    if (const auto found = k_verbs.find(request.method); found != k_verbs.end()) {
        return std::string(found->second);
    }
    if (!attributes.name.empty()) {
        return "get";
    }
    return flag_value(request.query, "watch") ? "watch" : "list";
}

} // namespace

Target read_target(const Request& request) {
    Target target;
    std::deque<std::string> parts;
    for (const auto part : split(std::string_view(request.path).substr(1), '/')) {
        parts.push_back(url_decode(part, UrlPart::path));
    }
    const auto take = [&] {
        std::string part;
        if (!parts.empty()) {
            part = std::move(parts.front());
            parts.pop_front();
        }
        return part;
    };
    auto& attributes = target.attributes;
    const auto root = take();
    const bool core = root == "api";
    if (parts.size() < (core ? 2U : 3U) || !(core || root == "apis") || parts.back().empty()) {
        attributes.verb = to_lower(request.method);
        return target;
    }
    target.is_resource = true;
    attributes.group = core ? "" : take();
    target.version = take();
    if (parts.front() == "namespaces" && parts.size() >= 3) {
        take();
        attributes.ns = take();
    }
    attributes.resource = take();
    attributes.name = take();
    attributes.subresource = take();
    while (!parts.empty()) {
        target.rest += '/' + take();
    }
    attributes.verb = resource_verb(request, attributes);
    return target;
}

} // namespace di::kubesim
