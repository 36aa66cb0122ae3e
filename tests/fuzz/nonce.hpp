// The nonce that marks the sections of fuzzed probe output; seeds.py writes the same.
#pragma once

#include <string_view>

namespace di::fuzz {

inline constexpr std::string_view k_nonce = "5f1d0c7ab2e94c3d";

} // namespace di::fuzz
