#include "kube/trace.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace di::kube {
namespace {

constexpr std::size_t k_query = 120; ///< of a URL below level 8: an exec's holds the whole script

std::size_t body_limit(int level) {
    constexpr std::size_t k_short = 1024;
    constexpr std::size_t k_long = 10240;
    return level <= 8 ? k_short : level == 9 ? k_long : std::numeric_limits<std::size_t>::max();
}

std::string masked(const std::string& name, const std::string& value) {
    const auto lower = to_lower(name);
    if (lower == "authorization") {
        return to_lower(value.substr(0, 7)) == "bearer " ? "Bearer <masked>" : "<masked>";
    }
    return lower == "cookie" || lower == "set-cookie" || lower == "proxy-authorization" ? "<masked>"
                                                                                        : value;
}

} // namespace

std::string trace_answer(std::string_view verb,
                         const std::string& url,
                         std::string_view outcome,
                         Millis took,
                         int level) {
    const auto query = url.find('?');
    const bool cut =
        level < k_trace_bodies && query != std::string::npos && url.size() - query > k_query;
    return printable(fmt::format("{} {}{} {} in {} milliseconds",
                                 verb,
                                 cut ? url.substr(0, query + k_query) : url,
                                 cut ? "..." : "",
                                 outcome,
                                 took.count()));
}

std::vector<std::string> trace_headers(std::string_view title, const net::Headers& headers) {
    std::vector<std::string> lines{std::string(title) + ":"};
    for (const auto& [name, value] : headers) {
        lines.push_back(printable(fmt::format("    {}: {}", name, masked(name, value))));
    }
    return lines;
}

std::string trace_body(const net::Response& response, int level) {
    const auto& body = response.body;
    const bool harmless = response.status >= 400 || contains(body, "\"SelfSubjectAccessReview\"");
    if (!harmless) {
        return fmt::format("Response Body: <{} bytes, not shown>", body.size());
    }
    const auto limit = std::min(body_limit(level), body.size());
    const auto rest = body.size() - limit;
    return fmt::format("Response Body: {}{}",
                       printable(body.substr(0, limit)),
                       rest == 0 ? "" : fmt::format(" [truncated {} chars]", rest));
}

} // namespace di::kube
