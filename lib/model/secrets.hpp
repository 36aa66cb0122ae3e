// Values that must not be shown, whatever variable holds them.
#pragma once

#include <string>
#include <string_view>

namespace di::model {

/// Does this read like a credential? Known prefixes of tokens (Hugging Face, NGC, GitHub, AWS,
/// Slack, JWT, PEM) anywhere in it, or one long word of mixed letters and digits.
bool looks_secret(std::string_view value);

/// "etcd://user:secret@host" -> "etcd://***@host", wherever it stands.
std::string without_userinfo(std::string_view value);

} // namespace di::model
