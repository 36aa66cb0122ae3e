// What Kubernetes' YAML reader makes of text, where yaml-cpp differs. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace di {

/// YAML 1.1 types of an unquoted scalar, as sigs.k8s.io/yaml resolves them.
enum class PlainScalar : std::uint8_t { null, boolean, number, text };

/// The type of an unquoted scalar: "n" is a boolean, "1_000" a number, "" null.
PlainScalar plain_scalar(std::string_view text);

/// Whether a boolean's spelling (y, yes, on, true in their cases) means yes.
bool is_yaml_true(std::string_view text);

/// JSON writes characters beyond the BMP as two \u escapes, which yaml-cpp refuses: joined into one
/// \U escape of YAML.
std::string join_surrogates(std::string_view json);

/// Text as a JSON string, quotes included.
std::string quote_json(std::string_view text);

} // namespace di
