#include "kubesim/status.hpp"

#include "kubesim/json.hpp"

#include <fmt/format.h>

namespace di::kubesim {
namespace {

std::string failure_json(std::string_view reason,
                         std::string_view message,
                         std::string_view details,
                         std::string_view code) {
    return fmt::format(R"({{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Failure",)"
                       R"("message":{},"reason":{}{}{}}})",
                       json_string(message),
                       json_string(reason),
                       details.empty() ? "" : fmt::format(R"(,"details":{})", details),
                       code.empty() ? "" : fmt::format(R"(,"code":{})", code));
}

} // namespace

Response
failure(int code, std::string_view reason, std::string_view message, std::string_view details) {
    return {.status = code,
            .body = failure_json(reason, message, details, std::to_string(code)) + "\n"};
}

Response not_found(std::string_view group, std::string_view resource, std::string_view name) {
    const auto qualified =
        group.empty() ? std::string(resource) : fmt::format("{}.{}", resource, group);
    const auto group_detail =
        group.empty() ? std::string() : fmt::format(R"("group":{},)", json_string(group));
    return failure(404,
                   "NotFound",
                   fmt::format("{} \"{}\" not found", qualified, name),
                   fmt::format(R"({{"name":{},{}"kind":{}}})",
                               json_string(name),
                               group_detail,
                               json_string(resource)));
}

Response page_not_found() {
    return plain_text(404, "404 page not found\n");
}

Response bad_request(std::string_view message) {
    return failure(400, "BadRequest", message);
}

Response plain_text(int code, std::string text) {
    return {.status = code, .body = std::move(text), .content_type = "text/plain; charset=utf-8"};
}

std::string exec_success() {
    return R"({"metadata":{},"status":"Success"})";
}

std::string exec_exit_code(int code, std::string_view message) {
    return fmt::format(
        R"({{"metadata":{{}},"status":"Failure","message":{},"reason":"NonZeroExitCode",)"
        R"("details":{{"causes":[{{"reason":"ExitCode","message":"{}"}}]}}}})",
        json_string(fmt::format("command terminated with non-zero exit code: {}", message)),
        code);
}

std::string exec_internal_error(std::string_view cause) {
    return failure_json("InternalError",
                        fmt::format("Internal error occurred: {}", cause),
                        fmt::format(R"({{"causes":[{{"message":{}}}]}})", json_string(cause)),
                        "500");
}

} // namespace di::kubesim
