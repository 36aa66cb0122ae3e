#include "parse/ucx_settings.hpp"

#include "tool_input.hpp"

namespace {

using di::fuzz::require;

void require_tls(std::string_view input) {
    const auto tls = di::parse::parse_ucx_tls(input);
    require(tls == di::parse::parse_ucx_tls(input), "the same text reads the same");
    require(tls.text == input, "the value stays as it was given");
    require(tls.deny == input.starts_with('^'), "a leading ^ denies");
    for (const auto& token : tls.tokens) {
        require(!token.empty() && token.find(',') == std::string::npos, "a token is one word");
    }
    for (const auto& token : tls.unknown) {
        require(std::find(tls.tokens.begin(), tls.tokens.end(), token) != tls.tokens.end(),
                "an unknown token was given");
    }
    for (const auto& name : tls.auxiliary) {
        require(!tls.transports.contains(name), "a transport is for data or for wire-up");
    }
    const bool nothing_known = !tls.deny && !tls.all && tls.unknown.size() == tls.tokens.size();
    require(!nothing_known || (tls.transports.empty() && tls.auxiliary.empty()),
            "unknown names leave no transport");
}

void require_net_devices(std::string_view input) {
    const auto devices = di::parse::parse_ucx_net_devices(input);
    require(devices == di::parse::parse_ucx_net_devices(input), "the same text reads the same");
    require(devices.entries.size() <= 256 * (input.size() / 2 + 1), "ranges are bounded");
    for (const auto& entry : devices.entries) {
        require(!entry.port || (*entry.port > 0 && *entry.port <= 255), "a port fits a byte");
        require(entry.text.starts_with(entry.device), "an entry begins with its device");
    }
}

} // namespace

DI_FUZZ_TARGET(ucx_settings) {
    require_tls(input);
    require_net_devices(input);
}
