#include "kubesim/age.hpp"

#include <fmt/format.h>

#include <ctime>

namespace di::kubesim {
namespace {

/// `3d4h`; without the second part when it is zero.
std::string two_units(long big, char big_unit, long small, char small_unit) {
    return small == 0 ? fmt::format("{}{}", big, big_unit)
                      : fmt::format("{}{}{}{}", big, big_unit, small, small_unit);
}

} // namespace

std::string human_duration(std::chrono::seconds age) {
    const long seconds = age.count();
    const long minutes = seconds / 60;
    const long hours = minutes / 60;
    const long days = hours / 24;
    if (seconds < 0) {
        return seconds >= -1 ? "0s" : "<invalid>";
    }
    if (seconds < 120) {
        return fmt::format("{}s", seconds);
    }
    if (minutes < 10) {
        return two_units(minutes, 'm', seconds % 60, 's');
    }
    if (minutes < 180) {
        return fmt::format("{}m", minutes);
    }
    if (hours < 8) {
        return two_units(hours, 'h', minutes % 60, 'm');
    }
    if (hours < 48) {
        return fmt::format("{}h", hours);
    }
    if (hours < 192) {
        return two_units(days, 'd', hours % 24, 'h');
    }
    if (days < 730) {
        return fmt::format("{}d", days);
    }
    return days < 2920 ? two_units(days / 365, 'y', days % 365, 'd')
                       : fmt::format("{}y", days / 365);
}

std::optional<std::chrono::seconds> parse_timestamp(std::string_view text) {
    std::tm time{};
    const std::string copy(text);
    const char* const end = ::strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
    if (end == nullptr) {
        return std::nullopt;
    }
    return std::chrono::seconds(::timegm(&time));
}

} // namespace di::kubesim
