// `Warning` response headers (RFC 7234, 5.5): the API server's notes to the user. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace di::kube {

/// The texts with code 299 in one header value: `299 - "text" ["date"], ...`. Values that break
/// the format are left out, with all that follows them.
std::vector<std::string> read_warnings(std::string_view header);

} // namespace di::kube
