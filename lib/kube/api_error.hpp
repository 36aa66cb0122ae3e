// Answers that are no answer, in kubectl's words. Pure.
#pragma once

#include "base/result.hpp"
#include "kube/requests.hpp"
#include "net/http.hpp"

#include <string>

namespace di::kube {

/// Is it a page for people, of a login portal, a proxy or a balancer on the way?
bool is_web_page(const net::Response& response);

/// For such a page in place of an answer, whatever its status.
Error web_page(const net::Response& response);

/// What the body says: a Status's message, a page's title, else its first line of printable text.
std::string message_of(const net::Response& response);

/// For a status other than 2xx. `what` is what failed: "cannot list pods".
Error to_error(const std::string& what, const Asked& asked, const net::Response& response);

} // namespace di::kube
