#include "kubesim/api.hpp"

#include "base/strings.hpp"
#include "kubesim/access_review.hpp"
#include "kubesim/exec.hpp"
#include "kubesim/graph_version.hpp"
#include "kubesim/json.hpp"
#include "kubesim/pod_view.hpp"
#include "kubesim/status.hpp"
#include "kubesim/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace di::kubesim {
namespace {

constexpr std::string_view k_resource_version = "48219377"; ///< the objects never change
constexpr std::string_view k_log_file = ".kubesim.log";

std::chrono::seconds unix_time() {
    return std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::system_clock::now().time_since_epoch());
}

bool wants_table(const Call& call) {
    return contains(call.request.header("accept"), "as=Table");
}

std::string api_version(const Target& target) {
    return target.attributes.group.empty()
               ? target.version
               : fmt::format("{}/{}", target.attributes.group, target.version);
}

/// An object as an item of a list (core items carry no kind) or by itself.
std::string object_json(const Collection& collection, const Object& object, const Target& target) {
    const auto json = collection.type->group.empty()
                          ? object.json
                          : convert_graph(object.json, collection.stored_version, target.version);
    return fmt::format(R"({{"kind":"{}","apiVersion":"{}",{})",
                       collection.type->kind,
                       api_version(target),
                       json.substr(1));
}

std::string list_metadata(const Page& page, const ListQuery& query) {
    std::string json = fmt::format(R"({{"resourceVersion":"{}")", k_resource_version);
    if (page.remaining > 0) {
        json += fmt::format(R"(,"continue":"{}")", make_continue_token(page.continue_after));
        if (query.labels.empty() && query.fields.empty()) {
            json += fmt::format(R"(,"remainingItemCount":{})", page.remaining);
        }
    }
    return json + "}";
}

const Object* find_pod(const Store& store, const Attributes& attributes) {
    return Store::find(store.pods(), attributes.ns, attributes.name);
}

std::string last_lines(const std::string& text, const std::string& count) {
    const auto wanted = parse_unsigned(count);
    if (!wanted) {
        return text;
    }
    const auto all = lines(text);
    const auto skipped = all.size() > *wanted ? all.size() - *wanted : 0;
    std::string result;
    for (std::size_t i = skipped; i < all.size(); ++i) {
        result += fmt::format("{}\n", all[i]);
    }
    return result;
}

Response expired(const std::string& after) {
    auto response = failure(
        410,
        "Expired",
        "The provided continue parameter is too old to display a consistent list result. You can "
        "start a new list without the continue parameter, or use the continue token in this "
        "response to retrieve the remainder of the results. Continuing with the provided token "
        "results in an inconsistent list - objects that were created, modified, or deleted "
        "between the time the first chunk was returned and now may show up in the list.");
    const std::string_view k_empty = R"("metadata":{})";
    response.body.replace(
        response.body.find(k_empty),
        k_empty.size(),
        fmt::format(R"("metadata":{{"continue":"{}"}})", make_continue_token(after)));
    return response;
}

} // namespace

/// Empty texts match anything; the first route that matches answers.
struct Api::Route {
    std::string_view verb;
    std::string_view resource;
    std::string_view subresource;
    Response (Api::*handler)(const Call&) const;
};

const std::vector<Api::Route>& Api::routes() {
    static const std::vector<Route> k_routes{
        {"get", "pods", "log", &Api::log},
        {"get", "pods", "proxy", &Api::proxy},
        {"create", "pods", "exec", &Api::spdy_exec},
        {"create", "selfsubjectaccessreviews", "", &Api::review_access},
        {"create", "selfsubjectreviews", "", &Api::review_self},
        {"get", "", "", &Api::get},
        {"list", "", "", &Api::list},
    };
    return k_routes;
}

std::optional<Response> Api::refuse(const Call& call) const {
    const auto& wanted = call.target.attributes;
    const auto* const type = find_resource_type(wanted.group, wanted.resource);
    const bool review = contains(wanted.resource, "reviews") && call.target.version == "v1";
    if (type == nullptr && !review) {
        return page_not_found();
    }
    if (type != nullptr) {
        const auto& versions = served_.store->collection(*type).versions;
        const bool known =
            std::find(versions.begin(), versions.end(), call.target.version) != versions.end();
        if (!known || (type->group == "nvidia.com" && !served_.graphs)) {
            return page_not_found();
        }
    }
    if (!access_.allows(wanted)) {
        return forbidden(wanted, call.user);
    }
    return std::nullopt;
}

Response Api::answer(const Call& call) const {
    if (!call.target.is_resource) {
        return discovery_document(served_, call.request.path).value_or(page_not_found());
    }
    if (auto refusal = refuse(call)) {
        return *refusal;
    }
    const auto& wanted = call.target.attributes;
    const auto* const type = find_resource_type(wanted.group, wanted.resource);
    for (const auto& route : routes()) {
        const bool named =
            route.resource.empty() ? type != nullptr : route.resource == wanted.resource;
        if (named && route.verb == wanted.verb && route.subresource == wanted.subresource) {
            return (this->*route.handler)(call);
        }
    }
    return failure(
        405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
}

Response Api::get(const Call& call) const {
    const auto& wanted = call.target.attributes;
    const auto* const type = find_resource_type(wanted.group, wanted.resource);
    const auto& collection = served_.store->collection(*type);
    const auto* const object = Store::find(collection, wanted.ns, wanted.name);
    if (object == nullptr) {
        return not_found(wanted.group, wanted.resource, wanted.name);
    }
    if (wants_table(call)) {
        return {.body = make_table(collection, {object}, "{}", unix_time()) + "\n"};
    }
    return {.body = object_json(collection, *object, call.target) + "\n"};
}

/// Reads limit and continue; a Response when they are refused.
std::optional<Response> Api::read_paging(const Call& call, ListQuery& query) const {
    const auto limit = first_value(call.request.query, "limit");
    if (!limit.empty()) {
        const auto number = parse_unsigned(limit);
        if (!number) {
            return bad_request(
                fmt::format("strconv.ParseInt: parsing {}: invalid syntax", json_string(limit)));
        }
        query.limit = *number;
    }
    const auto token = first_value(call.request.query, "continue");
    if (!token.empty()) {
        const auto after = read_continue_token(token);
        if (!after) {
            return bad_request("continue key is not valid: not a token of this server");
        }
        if (faults_.expired_continue.take()) {
            return expired(*after);
        }
        query.after = *after;
    }
    return std::nullopt;
}

Response Api::list(const Call& call) const {
    const auto& wanted = call.target.attributes;
    const auto& collection =
        served_.store->collection(*find_resource_type(wanted.group, wanted.resource));
    ListQuery query;
    query.ns = wanted.ns;
    auto labels = parse_label_selector(first_value(call.request.query, "labelSelector"));
    if (!labels) {
        return bad_request(fmt::format("{}: {}", labels.error().what, labels.error().cause));
    }
    query.labels = *labels;
    auto fields = parse_field_selector(first_value(call.request.query, "fieldSelector"),
                                       collection.type->fields);
    if (!fields) {
        return bad_request(fields.error().what);
    }
    query.fields = *fields;
    if (auto refusal = read_paging(call, query)) {
        return *refusal;
    }
    const auto page = select_page(collection, query);
    const auto metadata = list_metadata(page, query);
    if (wants_table(call)) {
        return {.body = make_table(collection, page.objects, metadata, unix_time()) + "\n"};
    }
    std::string body = fmt::format(R"({{"kind":"{}List","apiVersion":"{}","metadata":{},"items":[)",
                                   collection.type->kind,
                                   api_version(call.target),
                                   metadata);
    for (const auto* const object : page.objects) {
        body += object == page.objects.front() ? "" : ",";
        body += collection.type->group.empty() ? object->json
                                               : object_json(collection, *object, call.target);
    }
    return {.body = body + "]}\n"};
}

Response Api::log(const Call& call) const {
    const auto& wanted = call.target.attributes;
    const auto* const pod = find_pod(*served_.store, wanted);
    if (pod == nullptr) {
        return not_found("", "pods", wanted.name);
    }
    const PodView view(*pod);
    const auto container = view.choose_container(first_value(call.request.query, "container"));
    if (!container) {
        return bad_request(container.error().what);
    }
    const auto subject = fmt::format("container \"{}\" in pod \"{}\"", *container, pod->name);
    if (flag_value(call.request.query, "previous") && !view.has_previous_run(*container)) {
        return bad_request(fmt::format("previous terminated {} not found", subject));
    }
    if (const auto reason = view.waiting_to_start(*container); !reason.empty()) {
        return bad_request(fmt::format("{} is waiting to start: {}", subject, reason));
    }
    const auto source = roots_.source_of(*pod);
    const auto text = source.empty() ? Result<std::string>("") : read_file(source / k_log_file);
    return plain_text(200,
                      last_lines(text ? *text : "", first_value(call.request.query, "tailLines")));
}

Response Api::proxy(const Call& call) const {
    const auto name = call.target.attributes.name.substr(0, call.target.attributes.name.find(':'));
    if (Store::find(served_.store->pods(), call.target.attributes.ns, name) == nullptr) {
        return not_found("", "pods", name);
    }
    return plain_text(503, "error trying to reach service: connect: connection refused");
}

/// kubectl comes here when it was refused a WebSocket: what is wrong with the request is said
/// again, as a server that speaks SPDY would say it.
Response Api::spdy_exec(const Call& call) const {
    return refuse_exec_target(*served_.store, call.request, call.target.attributes)
        .value_or(bad_request("you must use websocket: this test cluster does not speak SPDY"));
}

Response Api::review_access(const Call& call) const {
    const auto review = read_access_review(call.request.body);
    if (!review) {
        return bad_request("the body is no SelfSubjectAccessReview in JSON or protobuf");
    }
    return {.status = 201, .body = answer_access_review(*review, access_) + "\n"};
}

Response Api::review_self(const Call& call) const {
    return {.status = 201,
            .body = fmt::format(
                R"({{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1",)"
                R"("metadata":{{}},"status":{{"userInfo":{{"username":{},)"
                R"("groups":["system:authenticated"]}}}}}})"
                "\n",
                json_string(call.user))};
}

} // namespace di::kubesim
