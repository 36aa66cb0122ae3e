#include "kube/status.hpp"

#include "base/strings.hpp"
#include "kube/decode_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::kube {
namespace {

using json::Json;

ApiStatus status_fields(const Json& document) {
    return {json::text(document, "reason"),
            json::text(document, "message"),
            json::number(document, "code").value_or(0)};
}

ExitStatus unreadable(std::string why) {
    return {ExitStatus::Kind::unreadable, 0, {"", std::move(why), 0}};
}

/// NonZeroExitCode: the code is in details.causes[], as an unsigned 8-bit decimal.
ExitStatus read_exit_code(const Json& document) {
    const auto causes = json::elements(json::member(json::member(document, "details"), "causes"));
    const auto found = std::find_if(causes.begin(), causes.end(), [](const Json* cause) {
        return json::text(*cause, "reason") == "ExitCode";
    });
    if (found == causes.end()) {
        return unreadable("no ExitCode cause given");
    }
    const auto text = json::text(**found, "message");
    const bool decimal = text.find_first_not_of("0123456789") == std::string::npos;
    const auto code = decimal ? parse_unsigned(text) : std::nullopt;
    if (!code || *code > 255) {
        return unreadable("invalid exit code value: " + excerpt(text, 40));
    }
    return {ExitStatus::Kind::exited, static_cast<int>(*code), {}};
}

} // namespace

std::optional<ApiStatus> read_status(std::string_view body) {
    const auto document = json::parse(body, "status");
    if (!document || json::text(*document, "kind") != "Status") {
        return std::nullopt;
    }
    return status_fields(*document);
}

ExitStatus read_exit_status(std::string_view text) {
    const auto document = json::parse(text, "exit status");
    if (!document) {
        return unreadable(fmt::format("the exit status is no JSON: {}", excerpt(text, 80)));
    }
    const auto outcome = json::text(*document, "status");
    if (outcome == "Success") {
        return {ExitStatus::Kind::exited, 0, {}};
    }
    if (outcome != "Failure") {
        return unreadable("unknown error");
    }
    auto error = status_fields(*document);
    return error.reason == "NonZeroExitCode"
               ? read_exit_code(*document)
               : ExitStatus{ExitStatus::Kind::failed, 0, std::move(error)};
}

bool is_whole_json(std::string_view text) {
    return json::parse(text, "exit status").ok();
}

} // namespace di::kube
