#include "kube/api_error.hpp"

#include "base/strings.hpp"
#include "kube/status.hpp"

#include <fmt/format.h>

namespace di::kube {
namespace {

ErrorKind kind_of(int status) {
    switch (status) {
    case 401:
        return ErrorKind::auth;
    case 403:
        return ErrorKind::permission;
    case 404:
        return ErrorKind::not_found;
    default:
        return status == 429 || status >= 500 ? ErrorKind::network : ErrorKind::protocol;
    }
}

std::string hint_of(ErrorKind kind, const Asked& asked) {
    switch (kind) {
    case ErrorKind::auth:
        return "kubectl auth whoami";
    case ErrorKind::permission:
        return can_i_command(asked);
    case ErrorKind::not_found:
    case ErrorKind::protocol:
        return "kubectl config view --minify";
    default:
        return "kubectl get --raw '/readyz?verbose'";
    }
}

/// The text of a page's `title` element; "" when it has none.
std::string_view title_of(std::string_view page) {
    constexpr std::string_view k_open = "<title>";
    const auto begin = page.find(k_open);
    const auto end = page.find("</title>", begin);
    return begin == std::string_view::npos || end == std::string_view::npos
               ? std::string_view()
               : trim(page.substr(begin + k_open.size(), end - begin - k_open.size()));
}

std::string cause_of(const net::Response& response) {
    if (response.status == 401) {
        return "You must be logged in to the server (Unauthorized)";
    }
    const auto status = read_status(response.body);
    const auto message = message_of(response);
    if (status && !status->reason.empty()) {
        return fmt::format("Error from server ({}): {}", status->reason, message);
    }
    return fmt::format(
        "the server answered {}{}{}", response.status, message.empty() ? "" : ": ", message);
}

} // namespace

bool is_web_page(const net::Response& response) {
    const auto type = response.find("Content-Type").value_or("");
    return contains_ignoring_case(type, "text/html") ||
           (!trim(response.body).empty() && trim(response.body).front() == '<');
}

Error web_page(const net::Response& response) {
    return {ErrorKind::protocol,
            "the answer is a web page, not that of an API server",
            "",
            fmt::format("\"{}\" (HTTP {}): a login portal or a proxy stands in between, or the "
                        "server URL is wrong",
                        message_of(response),
                        response.status),
            "kubectl config view --minify"};
}

std::string message_of(const net::Response& response) {
    constexpr std::size_t k_width = 300;
    if (const auto status = read_status(response.body)) {
        return excerpt(status->message, k_width);
    }
    if (const auto title = title_of(response.body); !title.empty()) {
        return excerpt(title, k_width);
    }
    const auto body = trim(response.body);
    return excerpt(body.substr(0, body.find('\n')), k_width);
}

Error to_error(const std::string& what, const Asked& asked, const net::Response& response) {
    const ErrorKind kind = kind_of(response.status);
    const auto object = asked.ns.empty() ? std::string("all namespaces") : "namespace " + asked.ns;
    return {kind, what, object, cause_of(response), hint_of(kind, asked)};
}

} // namespace di::kube
