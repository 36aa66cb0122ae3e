#include "kubesim/connection.hpp"

#include "base/strings.hpp"
#include "kubesim/status.hpp"

#include <fmt/format.h>

#include <chrono>

namespace di::kubesim {
namespace {

constexpr int k_switching_protocols = 101;

std::int64_t now_ms() {
    return std::chrono::duration_cast<Millis>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

Response html_page(int status, std::string_view title) {
    return {.status = status,
            .body =
                fmt::format("<html>\n<head><title>{0}</title></head>\n<body><h1>{0}</h1></body>\n"
                            "</html>\n",
                            title),
            .content_type = "text/html"};
}

Response try_later() {
    auto response = plain_text(429, "Too many requests, please try again later.\n");
    response.headers.emplace_back("Retry-After", "1");
    return response;
}

/// The answers that stand before everything else; nothing when the request may go on.
std::optional<Response> stop_early(const Services& services, const Request& request) {
    if (services.faults.server_error.take()) {
        return failure(500, "InternalError", "Internal error occurred: on demand");
    }
    if (services.faults.bad_gateway.take()) {
        return html_page(502, "502 Bad Gateway");
    }
    if (services.faults.html) {
        return html_page(200, "Please log in");
    }
    if (services.faults.too_many_requests.take()) {
        return try_later();
    }
    if (services.faults.unauthorized ||
        request.header("authorization") != "Bearer " + services.token) {
        return failure(401, "Unauthorized", "Unauthorized");
    }
    return std::nullopt;
}

bool is_upgraded_exec(const Target& target) {
    const auto& wanted = target.attributes;
    return wanted.resource == "pods" && wanted.subresource == "exec" && wanted.verb == "get";
}

/// Since Kubernetes 1.35 a WebSocket exec needs `create` besides `get`; its refusal has no "User"
/// part.
std::optional<Response> refuse_create(const Services& services, const Target& target) {
    auto create = target.attributes;
    create.verb = "create";
    if (services.access.allows(create)) {
        return std::nullopt;
    }
    return failure(403,
                   "Forbidden",
                   fmt::format("pods \"{}\" is forbidden: create of pods/exec was denied on demand",
                               create.name),
                   R"({"kind":"pods"})");
}

/// Answers one request; the HTTP status.
int answer(const Services& services,
           TlsStream& stream,
           RequestReader& reader,
           const Request& request,
           const Target& target) {
    auto response = stop_early(services, request);
    const auto impersonated = request.header("impersonate-user");
    const Call call{request, target, impersonated.empty() ? services.user : impersonated};
    if (!response && is_upgraded_exec(target)) {
        response = services.api.refuse(call);
        response = response ? response : refuse_create(services, target);
        if (!response && services.faults.busy_exec.take()) {
            response = try_later();
        }
        if (!response && services.outage.begins()) {
            services.drop_connections();
            return 0;
        }
        if (!response) {
            return services.exec.serve(stream, request, target, reader.take_rest());
        }
    }
    if (!response) {
        response = services.api.answer(call);
    }
    if (const auto& warning = services.faults.warning; !warning.empty()) {
        response->headers.emplace_back("Warning", fmt::format("299 - \"{}\"", warning));
    }
    return stream.write_all(to_bytes(*response)) ? response->status : 0;
}

Millis delay_of(const Target& target, const Faults& faults) {
    if (target.attributes.resource == "selfsubjectaccessreviews") {
        return faults.slow_review;
    }
    return target.attributes.verb == "list" ? faults.slow_list : Millis(0);
}

} // namespace

void serve_connection(const Services& services, TlsStream& stream) {
    RequestReader reader(stream);
    while (const auto request = reader.next()) {
        const auto started = now_ms();
        const auto target = read_target(*request);
        if (services.stop.wait_for(services.latency + delay_of(target, services.faults))) {
            return;
        }
        if (services.faults.connection_reset.take()) {
            reset_at_close(stream.fd());
            return;
        }
        const int status = answer(services, stream, reader, *request, target);
        services.log.add({*request, target, status, started, now_ms()});
        const bool used_up = status == 0 || status == k_switching_protocols ||
                             to_lower(request->header("connection")) == "close";
        if (used_up || services.stop.wait_for(Millis(0))) {
            return;
        }
    }
}

} // namespace di::kubesim
