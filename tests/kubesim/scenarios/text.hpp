// Invented but stable identifiers: the same seed always gives the same text.
#pragma once

#include "kubesim/scenarios/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace di::kubesim::scenarios {

/// FNV-1a with the last mixing steps of MurmurHash3, 64 bits.
std::uint64_t hash(std::string_view seed);

/// `digits` lower-case hexadecimal digits.
std::string hex(std::string_view seed, std::size_t digits);

/// 8-4-4-4-12.
std::string uuid(std::string_view seed);

/// The five letters that end a pod's name; different for each `index` below 27^5.
std::string pod_suffix(std::string_view seed, std::size_t index);

/// The ten letters of a pod template hash.
std::string template_hash(std::string_view seed);

/// "prefill", "decode", "worker".
std::string to_string(Role role);

} // namespace di::kubesim::scenarios
