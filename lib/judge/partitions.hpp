// InfiniBand partition keys (InfiniBand Architecture Specification, P_Key table).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace di::judge {

inline constexpr std::uint16_t k_full_member = 0x8000;
inline constexpr std::uint16_t k_partition_mask = 0x7fff;

/// A value of UCX_IB_PKEY as UCX reads it (ucs/config/parser.c): hexadecimal with 0x, at most
/// 0x7fff; nothing otherwise.
std::optional<std::uint16_t> parse_pkey(std::string_view text);

/// "0x8001".
std::string pkey_text(std::uint16_t pkey);

} // namespace di::judge
