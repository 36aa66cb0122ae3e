// What an exec server sends, as bytes: frames by RFC 6455, section 5.2, unmasked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace di::test {

enum class Fin : std::uint8_t { no, yes };

constexpr unsigned k_continuation = 0;
constexpr unsigned k_text = 1;
constexpr unsigned k_binary = 2;
constexpr unsigned k_close = 8;
constexpr unsigned k_ping = 9;

inline std::string frame(unsigned opcode, std::string_view payload, Fin fin = Fin::yes) {
    std::string bytes;
    bytes += static_cast<char>((fin == Fin::yes ? 0x80U : 0U) | opcode);
    const auto size = payload.size();
    if (size < 126) {
        bytes += static_cast<char>(size);
    } else if (size < 65536) {
        bytes += static_cast<char>(126);
        bytes += static_cast<char>(size >> 8U);
        bytes += static_cast<char>(size & 0xFFU);
    } else {
        bytes += static_cast<char>(127);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes +=
                static_cast<char>((static_cast<std::uint64_t>(size) >> unsigned(shift)) & 0xFFU);
        }
    }
    return bytes.append(payload);
}

/// One message on an exec channel.
inline std::string on_channel(char channel, std::string_view data) {
    return frame(k_binary, std::string(1, channel).append(data));
}

inline std::string close_frame(unsigned code) {
    return frame(k_close,
                 std::string{static_cast<char>(code >> 8U), static_cast<char>(code & 0xFFU)});
}

/// The 101 answer to a request with that accept value.
inline std::string switching(std::string_view accept, std::string_view protocol) {
    std::string head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                       "Connection: Upgrade\r\nSec-WebSocket-Accept: ";
    head += accept;
    if (!protocol.empty()) {
        head += "\r\nSec-WebSocket-Protocol: ";
        head += protocol;
    }
    return head + "\r\n\r\n";
}

constexpr std::string_view k_success = R"({"metadata":{},"status":"Success"})";
constexpr std::string_view k_exit_7 =
    R"({"metadata":{},"status":"Failure","message":"command terminated with non-zero exit code",)"
    R"("reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"7"}]}})";

} // namespace di::test
