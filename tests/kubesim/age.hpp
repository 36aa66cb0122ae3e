// Ages and timestamps as the API writes them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace di::kubesim {

/// The AGE of `kubectl get`: `45s`, `3m5s`, `7h`, `12d`, as apimachinery's duration.HumanDuration.
std::string human_duration(std::chrono::seconds age);

/// Unix time of an RFC 3339 timestamp in UTC (`2026-10-06T07:01:24Z`).
std::optional<std::chrono::seconds> parse_timestamp(std::string_view text);

} // namespace di::kubesim
