#include "ws/http_head.hpp"

#include "base/strings.hpp"

#include <algorithm>

namespace di::ws {
namespace {

constexpr std::size_t k_longest_head = std::size_t{64} << 10U;

/// "HTTP/1.1 403 Forbidden" -> 403; 0 when it is no status line.
int read_status(std::string_view line) {
    if (line.substr(0, 7) != "HTTP/1." || line.size() < 12 || line[8] != ' ') {
        return 0;
    }
    const auto status = parse_unsigned(line.substr(9, 3));
    const bool ends = line.size() == 12 || line[12] == ' ';
    return ends && status && *status >= 100 && *status <= 599 ? static_cast<int>(*status) : 0;
}

/// A chunk's size: hexadecimal, possibly followed by ";extension" (RFC 9112, 7.1).
std::optional<std::size_t> read_chunk_size(std::string_view line) {
    const auto digits = trim(line.substr(0, line.find(';')));
    constexpr std::size_t k_longest = 8; // 4 GiB: no error page is that long
    if (digits.empty() || digits.size() > k_longest) {
        return std::nullopt;
    }
    return parse_unsigned("0x" + std::string(digits));
}

Body read_chunked(std::string_view bytes) {
    Body body;
    for (;;) {
        const auto end_of_line = bytes.find("\r\n");
        if (end_of_line == std::string_view::npos) {
            return body;
        }
        const auto size = read_chunk_size(bytes.substr(0, end_of_line));
        bytes.remove_prefix(end_of_line + 2);
        if (!size || *size == 0) {
            body.complete = true; // the last chunk, or framing that cannot be followed further
            return body;
        }
        body.text += bytes.substr(0, *size);
        if (bytes.size() < *size + 2) {
            return body;
        }
        bytes.remove_prefix(*size + 2);
    }
}

} // namespace

std::optional<std::string_view> ResponseHead::find(std::string_view name) const {
    const auto wanted = to_lower(name);
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto& header) {
        return to_lower(header.first) == wanted;
    });
    return found == headers.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

HeadRead read_head(std::string_view bytes) {
    HeadRead read;
    const auto end = bytes.find("\r\n\r\n");
    if (end == std::string_view::npos) {
        constexpr std::string_view k_start = "HTTP/1.";
        const auto common = std::min(bytes.size(), k_start.size());
        const bool possible = bytes.substr(0, common) == k_start.substr(0, common);
        read.state = possible && bytes.size() <= k_longest_head ? HeadState::incomplete
                                                                : HeadState::malformed;
        return read;
    }
    read.state = HeadState::malformed;
    const auto head_lines = lines(bytes.substr(0, end));
    read.head.size = end + 4;
    read.head.status = read_status(head_lines.empty() ? std::string_view() : head_lines.front());
    if (read.head.status == 0 || end > k_longest_head) {
        return read;
    }
    for (std::size_t i = 1; i < head_lines.size(); ++i) {
        const auto colon = head_lines[i].find(':');
        if (colon == std::string_view::npos || colon == 0) {
            return read;
        }
        read.head.headers.emplace_back(head_lines[i].substr(0, colon),
                                       trim(head_lines[i].substr(colon + 1)));
    }
    read.state = HeadState::complete;
    return read;
}

Body read_body(const ResponseHead& head, std::string_view bytes) {
    const auto encoding = head.find("Transfer-Encoding");
    if (encoding && contains_ignoring_case(*encoding, "chunked")) {
        return read_chunked(bytes);
    }
    const auto length = head.find("Content-Length");
    const auto expected = length ? parse_unsigned(*length) : std::nullopt;
    if (!expected) {
        return {std::string(bytes), false};
    }
    return {std::string(bytes.substr(0, *expected)), bytes.size() >= *expected};
}

} // namespace di::ws
