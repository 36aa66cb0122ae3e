#include "net/proxy.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <optional>

namespace di::net {
namespace {

/// An address as 16 bytes; IPv4 in its mapped form, as Go's net.IP.
using Address = std::array<std::uint8_t, 16>;

std::optional<Address> parse_address(std::string_view text) {
    const std::string copy(text);
    Address address{};
    if (inet_pton(AF_INET6, copy.c_str(), address.data()) == 1) {
        return address;
    }
    address[10] = address[11] = 0xFF;
    return inet_pton(AF_INET, copy.c_str(), &address[12]) == 1 ? std::optional(address)
                                                               : std::nullopt;
}

bool is_loopback(const Address& address) {
    const bool mapped = address[10] == 0xFF && address[11] == 0xFF;
    constexpr Address k_ipv6_loopback{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    return (mapped && address[12] == 127) || address == k_ipv6_loopback;
}

bool in_network(const Address& address, std::string_view network, std::string_view bits) {
    const auto base = parse_address(network);
    const auto length = parse_unsigned(bits);
    const bool ipv4 = network.find(':') == std::string_view::npos;
    const unsigned limit = ipv4 ? 32 : 128;
    if (!base || !length || *length > limit) {
        return false;
    }
    const unsigned prefix = static_cast<unsigned>(*length) + (ipv4 ? 96 : 0);
    for (unsigned bit = 0; bit < prefix; ++bit) {
        const auto mask = static_cast<std::uint8_t>(0x80U >> (bit % 8));
        if (((address[bit / 8] ^ (*base)[bit / 8]) & mask) != 0) {
            return false;
        }
    }
    return true;
}

struct HostPort {
    std::string_view host;
    std::string_view port; ///< "" matches every port
};

/// "host", "host:port", "1.2.3.4:80", "[::1]:80", "::1".
HostPort split_port(std::string_view entry) {
    if (!entry.empty() && entry.front() == '[') {
        const auto end = entry.find(']');
        if (end == std::string_view::npos) {
            return {entry, {}};
        }
        const auto rest = entry.substr(end + 1);
        return {entry.substr(1, end - 1), rest.substr(std::min<std::size_t>(rest.size(), 1))};
    }
    const auto colon = entry.find(':');
    const bool one_colon = colon != std::string_view::npos && entry.rfind(':') == colon;
    return one_colon ? HostPort{entry.substr(0, colon), entry.substr(colon + 1)}
                     : HostPort{entry, {}};
}

bool matches_domain(std::string_view host, std::string_view domain) {
    if (domain.substr(0, 2) == "*.") {
        domain.remove_prefix(1);
    }
    const bool subdomains_only = !domain.empty() && domain.front() == '.';
    if (!subdomains_only && host == domain) {
        return true;
    }
    const std::string suffix = subdomains_only ? std::string(domain) : '.' + std::string(domain);
    return host.size() > suffix.size() && host.substr(host.size() - suffix.size()) == suffix;
}

/// One entry of NO_PROXY, lower case.
bool matches(const Url& server, const std::optional<Address>& address, std::string_view entry) {
    if (entry == "*") {
        return true;
    }
    if (const auto slash = entry.find('/'); slash != std::string_view::npos) {
        return address && in_network(*address, entry.substr(0, slash), entry.substr(slash + 1));
    }
    const HostPort wanted = split_port(entry);
    if (wanted.host.empty() ||
        (!wanted.port.empty() && wanted.port != std::to_string(server.port))) {
        return false;
    }
    if (const auto exact = parse_address(wanted.host)) {
        return address == exact;
    }
    return !address && matches_domain(to_lower(server.host), wanted.host);
}

bool is_exempt(const Url& server, std::string_view no_proxy) {
    const auto address = parse_address(server.host);
    if (to_lower(server.host) == "localhost" || (address && is_loopback(*address))) {
        return true;
    }
    const std::string list = to_lower(no_proxy);
    const auto entries = split(list, ',');
    return std::any_of(entries.begin(), entries.end(), [&](std::string_view entry) {
        return matches(server, address, trim(entry));
    });
}

/// Where a proxy's URL stands, and how to look at it.
struct Origin {
    std::string name;
    std::string look;
};

Result<std::string> check_proxy(std::string_view text, const Origin& origin) {
    const auto invalid = [&](const std::string& cause) {
        // Not the URL itself: it may carry a password.
        return Error{ErrorKind::config, "invalid proxy URL", origin.name, cause, origin.look};
    };
    const auto url = parse_url(text);
    if (!url) {
        return invalid(url.error().cause);
    }
    constexpr std::array<std::string_view, 4> k_schemes{"http", "https", "socks5", "socks5h"};
    if (std::find(k_schemes.begin(), k_schemes.end(), url->scheme) == k_schemes.end()) {
        return invalid(
            fmt::format("unsupported scheme \"{}\", must be http, https, or socks5", url->scheme));
    }
    // Go leaves the lookup of the server's name to the SOCKS proxy, which curl calls socks5h.
    const bool socks = url->scheme == "socks5";
    return socks ? "socks5h" + std::string(text.substr(text.find(':'))) : std::string(text);
}

} // namespace

Result<std::string> choose_proxy(const Url& server, const model::ProxySettings& settings) {
    if (!settings.proxy_url.empty()) {
        return check_proxy(settings.proxy_url,
                           {"the cluster's proxy-url", "kubectl config view --minify"});
    }
    const auto& from_environment = server.is_tls() ? settings.https_proxy : settings.http_proxy;
    if (from_environment.empty() || is_exempt(server, settings.no_proxy)) {
        return std::string();
    }
    const bool has_scheme = contains(from_environment, "://");
    return check_proxy(has_scheme ? from_environment : "http://" + from_environment,
                       {server.is_tls() ? "HTTPS_PROXY" : "HTTP_PROXY", "env | grep -i _proxy"});
}

} // namespace di::net
