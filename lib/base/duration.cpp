#include "base/duration.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace di {
namespace {

struct Unit {
    std::string_view name;
    std::uint64_t millis;
};

/// Longer names before their own beginnings: "ms" before "m".
constexpr std::array<Unit, 4> k_units = {
    {{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}}};

constexpr std::uint64_t k_longest = std::uint64_t{366} * 24 * 3'600'000;

/// "20", "1.5", ".5"
std::optional<double> parse_decimal(std::string_view text) {
    double value = 0;
    const auto* const end = text.data() + text.size();
    const auto [stop, status] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
    return status == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<Millis> in_range(std::uint64_t millis) {
    return millis > k_longest ? std::nullopt
                              : std::optional(Millis(static_cast<std::int64_t>(millis)));
}

} // namespace

std::optional<Millis> parse_duration(std::string_view text) {
    if (const auto seconds = parse_unsigned(text); seconds && !contains(text, "x")) {
        return *seconds > k_longest ? std::nullopt : in_range(*seconds * 1'000);
    }
    if (text.empty()) {
        return std::nullopt;
    }
    std::uint64_t total = 0;
    while (!text.empty()) {
        const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
        const auto count = parse_decimal(text.substr(0, digits));
        text.remove_prefix(digits);
        const auto* const unit = std::find_if(k_units.begin(), k_units.end(), [&](const Unit& u) {
            return text.substr(0, u.name.size()) == u.name;
        });
        if (!count || *count > k_longest || unit == k_units.end()) {
            return std::nullopt;
        }
        text.remove_prefix(unit->name.size());
        const auto millis = std::round(*count * static_cast<double>(unit->millis));
        total += static_cast<std::uint64_t>(std::min<double>(millis, k_longest + 1));
        total = std::min(total, k_longest + 1);
    }
    return in_range(total);
}

std::string to_text(Millis duration) {
    const auto millis = duration.count();
    if (millis < 1'000) {
        return millis == 0 ? "0s" : fmt::format("{}ms", millis);
    }
    const auto seconds = millis / 1'000;
    if (seconds < 60 || millis % 1'000 != 0) {
        return fmt::format("{}s", static_cast<double>(millis) / 1'000.0);
    }
    const auto rest = seconds % 60;
    return fmt::format("{}m{}", seconds / 60, rest == 0 ? "" : fmt::format("{}s", rest));
}

} // namespace di
