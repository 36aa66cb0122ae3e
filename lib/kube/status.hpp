// metav1.Status: what the API server says instead of an answer, and how an exec ended. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace di::kube {

/// k8s.io/apimachinery/pkg/apis/meta/v1 Status, the fields that decide something.
struct ApiStatus {
    std::string reason;  ///< Forbidden, Expired, ...
    std::string message; ///< for a person
    int code = 0;
};

/// Nothing when the body is no JSON object of kind Status.
std::optional<ApiStatus> read_status(std::string_view body);

/// What channel 3 of an exec says (k8s.io/client-go/tools/remotecommand/v4.go).
struct ExitStatus {
    enum class Kind : unsigned char {
        exited,    ///< the command ran and gave `exit_code`
        failed,    ///< it did not run: `error`
        unreadable ///< the text breaks the protocol: `error.message` says how
    };

    Kind kind = Kind::unreadable;
    int exit_code = 0;
    ApiStatus error;
};

/// Never gives the Status's message where a cause says it: the message may repeat the command.
ExitStatus read_exit_status(std::string_view text);

/// Whether the text is a complete JSON document, so that nothing more is to be waited for.
bool is_whole_json(std::string_view text);

} // namespace di::kube
