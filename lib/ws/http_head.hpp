// The head of an HTTP/1.1 response (RFC 9112) and where its body ends, read from bytes that may
// arrive in any pieces.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace di::ws {

struct ResponseHead {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers; ///< as sent, values trimmed
    std::size_t size = 0;                                     ///< bytes up to and with CRLFCRLF

    /// The first header of that name (any case), or nothing.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
};

enum class HeadState : unsigned char { incomplete, complete, malformed };

struct HeadRead {
    HeadState state = HeadState::incomplete;
    ResponseHead head;
};

/// Reads a head from the beginning of `bytes`. A head over 64 KiB is malformed.
HeadRead read_head(std::string_view bytes);

/// The body that follows `head`, as far as it has come, without chunked framing.
struct Body {
    std::string text;
    bool complete = false; ///< by Content-Length or the last chunk; else it ends with the stream
};

Body read_body(const ResponseHead& head, std::string_view bytes);

} // namespace di::ws
