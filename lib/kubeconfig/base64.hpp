// Base64 as kubeconfig files use it (RFC 4648, section 4), with Go's strictness.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace di::kubeconfig {

std::string to_base64(std::string_view bytes);

/// Where the text stops being base64: Go's "illegal base64 data at input byte N".
struct BadBase64 {
    std::size_t at = 0;
};

/// CR and LF are skipped wherever they are; spaces and missing padding are errors.
std::variant<std::string, BadBase64> from_base64(std::string_view text);

} // namespace di::kubeconfig
