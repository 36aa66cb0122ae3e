#include "kube/identity.hpp"

#include "base/strings.hpp"
#include "ws/handshake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace di::kube {
namespace {

/// Header values: no control characters but TAB (RFC 9110, 5.5).
bool is_header_value(std::string_view text) {
    return std::none_of(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
    });
}

/// The key of an Impersonate-Extra header: lower case, and all that is no token character
/// (RFC 9110, 5.6.2) percent-encoded, as is `%` itself.
std::string extra_key(std::string_view key) {
    constexpr std::string_view k_token = "abcdefghijklmnopqrstuvwxyz0123456789!#$&'*+-.^_`|~";
    std::string text;
    for (const char c : to_lower(key)) {
        if (k_token.find(c) != std::string_view::npos) {
            text += c;
        } else {
            text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return text;
}

void add_authorization(net::Headers& headers, const model::Credentials& credentials) {
    if (!credentials.token.empty()) {
        headers.emplace_back("Authorization", "Bearer " + credentials.token.reveal());
    } else if (!credentials.username.empty()) {
        const auto pair = credentials.username + ':' + credentials.password.reveal();
        headers.emplace_back("Authorization", "Basic " + ws::to_base64(pair));
    }
}

void add_impersonation(net::Headers& headers, const model::Impersonation& who) {
    if (who.user.empty()) {
        return;
    }
    headers.emplace_back("Impersonate-User", who.user);
    if (!who.uid.empty()) {
        headers.emplace_back("Impersonate-Uid", who.uid);
    }
    for (const auto& group : who.groups) {
        headers.emplace_back("Impersonate-Group", group);
    }
    for (const auto& [key, value] : who.extra) {
        headers.emplace_back("Impersonate-Extra-" + extra_key(key), value);
    }
}

} // namespace

Result<net::Headers> identity_headers(const model::ClientConfig& config,
                                      const model::Credentials& credentials,
                                      const net::Url& server) {
    net::Headers headers{{"User-Agent", config.user_agent}, {"Accept", "application/json, */*"}};
    if (server.is_tls()) {
        add_authorization(headers, credentials);
    }
    add_impersonation(headers, config.impersonation);
    for (const auto& [name, value] : headers) {
        if (!is_header_value(value)) {
            return Error{ErrorKind::auth,
                         "cannot authenticate",
                         "",
                         fmt::format("invalid header field value for \"{}\"", name),
                         "kubectl config view --minify"};
        }
    }
    return headers;
}

} // namespace di::kube
