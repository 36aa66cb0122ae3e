#include "kubeconfig/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace di::kubeconfig {
namespace {

constexpr std::string_view k_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Four digits are three bytes, less one for each padding.
void append_group(std::string& bytes, std::uint32_t bits, unsigned padding) {
    for (unsigned octet = 0; octet + std::min(padding, 2U) < 3; ++octet) {
        bytes += static_cast<char>((bits >> (16 - 8 * octet)) & 0xFFU);
    }
}

} // namespace

std::string to_base64(std::string_view bytes) {
    std::string text;
    std::uint32_t bits = 0;
    unsigned count = 0;
    const auto put = [&](std::uint32_t six) { text += k_alphabet[six & 0x3FU]; };
    for (const char c : bytes) {
        bits = (bits << 8U) | static_cast<unsigned char>(c);
        for (count += 8; count >= 6; count -= 6) {
            put(bits >> (count - 6));
        }
    }
    if (count > 0) {
        put(bits << (6 - count));
    }
    text.append((4 - text.size() % 4) % 4, '=');
    return text;
}

std::variant<std::string, BadBase64> from_base64(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned digits = 0; ///< in the current group of four, padding included
    unsigned padding = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n' || c == '\r') {
            continue;
        }
        const auto value = k_alphabet.find(c);
        const bool may_pad = c == '=' && (digits == 2 || digits == 3);
        if ((value == std::string_view::npos && !may_pad) || (c != '=' && padding > 0) ||
            (padding > 0 && digits == 0)) {
            return BadBase64{i};
        }
        padding += c == '=' ? 1 : 0;
        bits = (bits << 6U) | static_cast<std::uint32_t>(c == '=' ? 0 : value);
        if (++digits == 4) {
            append_group(bytes, bits, padding);
            digits = 0;
        }
    }
    if (digits != 0) { // Go names the first digit of a group that is cut, or the missing padding
        return BadBase64{text.size() - (padding > 0 ? 0 : digits)};
    }
    return bytes;
}

} // namespace di::kubeconfig
