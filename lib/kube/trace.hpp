// What -v shows of requests and answers, with everything secret masked. Pure.
//
// Levels and layout follow kubectl's (client-go transport/round_trippers.go): 6 the answer and its
// time, 7 and the request's headers, 8 and the answer's headers and the beginning of its body, 9
// more of the body, 10 all of it.
#pragma once

#include "base/clock.hpp"
#include "net/http.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace di::kube {

inline constexpr int k_trace_answers = 6;
inline constexpr int k_trace_headers = 7;
inline constexpr int k_trace_bodies = 8;

/// One line: "GET https://host/api/v1/pods 200 OK in 5 milliseconds"; `outcome` is "200" or why
/// there was no answer. A long query is cut below level 8.
std::string trace_answer(std::string_view verb,
                         const std::string& url,
                         std::string_view outcome,
                         Millis took,
                         int level);

/// "Request Headers:" or "Response Headers:" and one line each, credentials masked.
std::vector<std::string> trace_headers(std::string_view title, const net::Headers& headers);

/// "Response Body: ...". Specs may hold secrets in their environment, so that only what went wrong
/// and what was asked about permissions is shown; of the rest, its length.
std::string trace_body(const net::Response& response, int level);

} // namespace di::kube
