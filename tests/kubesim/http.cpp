#include "kubesim/http.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <array>

namespace di::kubesim {
namespace {

constexpr std::size_t k_largest_head = 1U << 20U; // what a Go server takes
constexpr std::size_t k_largest_body = 16U << 20U;
constexpr std::string_view k_end_of_head = "\r\n\r\n";

std::string_view reason_phrase(int status) {
    static const std::map<int, std::string_view> k_phrases{
        {101, "Switching Protocols"},
        {200, "OK"},
        {201, "Created"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {406, "Not Acceptable"},
        {410, "Gone"},
        {415, "Unsupported Media Type"},
        {429, "Too Many Requests"},
        {500, "Internal Server Error"},
        {502, "Bad Gateway"},
        {503, "Service Unavailable"},
        {504, "Gateway Timeout"},
    };
    const auto found = k_phrases.find(status);
    return found == k_phrases.end() ? "Unknown" : found->second;
}

} // namespace

std::string Request::header(std::string_view name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
}

std::optional<Request> parse_request_head(std::string_view head) {
    const auto all = lines(head);
    if (all.empty()) {
        return std::nullopt;
    }
    const auto start = split(all[0], ' ');
    if (start.size() != 3 || start[2].substr(0, 7) != "HTTP/1." || start[1].substr(0, 1) != "/") {
        return std::nullopt;
    }
    Request request;
    request.method = start[0];
    const auto question = start[1].find('?');
    request.path = start[1].substr(0, question);
    if (question != std::string_view::npos) {
        request.raw_query = start[1].substr(question + 1);
        request.query = parse_query(request.raw_query);
    }
    for (std::size_t i = 1; i < all.size(); ++i) {
        const auto colon = all[i].find(':');
        if (colon == std::string_view::npos) {
            return std::nullopt;
        }
        request.headers.emplace(to_lower(all[i].substr(0, colon)), trim(all[i].substr(colon + 1)));
    }
    return request;
}

std::string to_bytes(const Response& response) {
    std::string bytes =
        fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
    for (const auto& [name, value] : response.headers) {
        bytes += fmt::format("{}: {}\r\n", name, value);
    }
    if (response.status != 101) {
        if (!response.body.empty()) {
            bytes += fmt::format("Content-Type: {}\r\n", response.content_type);
        }
        bytes += fmt::format("Content-Length: {}\r\n", response.body.size());
    }
    return bytes + "\r\n" + response.body;
}

bool RequestReader::read_more() {
    std::array<char, 16384> chunk{};
    const auto count = stream_.read_some(chunk.data(), chunk.size());
    buffer_.append(chunk.data(), count);
    return count > 0;
}

std::optional<Request> RequestReader::next() {
    std::size_t end = 0;
    while ((end = buffer_.find(k_end_of_head)) == std::string::npos) {
        if (buffer_.size() > k_largest_head || !read_more()) {
            return std::nullopt;
        }
    }
    auto request = parse_request_head(std::string_view(buffer_).substr(0, end));
    buffer_.erase(0, end + k_end_of_head.size());
    if (!request || !request->header("transfer-encoding").empty()) {
        return std::nullopt; // clients of the API send bodies of a known length
    }
    const auto length = request->header("content-length");
    const auto size = length.empty() ? 0 : parse_unsigned(length).value_or(k_largest_body + 1);
    if (size > k_largest_body) {
        return std::nullopt;
    }
    while (buffer_.size() < size) {
        if (!read_more()) {
            return std::nullopt;
        }
    }
    request->body = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return request;
}

} // namespace di::kubesim
