// Answers that are no answer, in kubectl's words. Pure.
#pragma once

#include "base/result.hpp"
#include "kube/requests.hpp"
#include "net/http.hpp"

#include <string>

namespace di::kube {

/// What the body says: a Status's message, else its first line of printable text, else "".
std::string message_of(const net::Response& response);

/// For a status other than 2xx. `what` is what failed: "cannot list pods".
Error to_error(const std::string& what, const Asked& asked, const net::Response& response);

} // namespace di::kube
