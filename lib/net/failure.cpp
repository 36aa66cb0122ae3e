#include "net/failure.hpp"

#include <fmt/format.h>

namespace di::net {
namespace {

std::string cause_of(const Failure& failure) {
    switch (failure.kind) {
    case FailureKind::refused:
        return fmt::format("The connection to the server {} was refused - did you specify the "
                           "right host or port?",
                           failure.server);
    case FailureKind::unreachable:
        return fmt::format("no route to {}: {}", failure.server, failure.detail);
    case FailureKind::name_lookup:
        return fmt::format("lookup {}: no such host", failure.host);
    case FailureKind::proxy:
        return failure.proxy_answer == 0
                   ? fmt::format("proxy {}: {}", failure.proxy, failure.detail)
                   : fmt::format("proxy {} answered {} to CONNECT {}",
                                 failure.proxy,
                                 failure.proxy_answer,
                                 failure.server);
    case FailureKind::certificate:
        return fmt::format("tls: failed to verify certificate: {}", failure.detail);
    case FailureKind::tls:
        return fmt::format("tls: {}", failure.detail);
    case FailureKind::timeout:
        return fmt::format("timed out: {}", failure.detail);
    case FailureKind::too_long:
    case FailureKind::broken:
        break;
    }
    return failure.detail;
}

std::string hint_of(const Failure& failure) {
    switch (failure.kind) {
    case FailureKind::proxy:
        return "env | grep -i _proxy";
    case FailureKind::certificate:
    case FailureKind::tls:
        return fmt::format(
            "openssl s_client -connect {} -servername {} </dev/null", failure.server, failure.host);
    case FailureKind::refused:
    case FailureKind::unreachable:
    case FailureKind::name_lookup:
        return "kubectl config view --minify";
    default:
        return "kubectl cluster-info";
    }
}

} // namespace

Error to_error(const Failure& failure) {
    return {failure.kind == FailureKind::broken ? ErrorKind::lost : ErrorKind::network,
            "Unable to connect to the server",
            "",
            cause_of(failure),
            hint_of(failure)};
}

} // namespace di::net
