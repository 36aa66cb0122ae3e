// metav1.Status replies with the API server's own wording.
#pragma once

#include "kubesim/http.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace di::kubesim {

/// A Failure Status with its HTTP code, e.g. (404, "NotFound", "pods \"x\" not found").
/// `details` is a JSON object or "".
Response
failure(int code, std::string_view reason, std::string_view message, std::string_view details = {});

Response not_found(std::string_view group, std::string_view resource, std::string_view name);

/// What an API server says about a path it does not know.
Response page_not_found();

Response bad_request(std::string_view message);

Response plain_text(int code, std::string text);

/// Channel 3 of an exec.
std::string exec_success();
std::string exec_exit_code(int code, std::string_view message);
std::string exec_internal_error(std::string_view cause);

} // namespace di::kubesim
