#include "net/url.hpp"

#include "base/strings.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace di::net {
namespace {

struct FreeUrl {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
    char* text = nullptr;
    if (curl_url_get(url, which, &text, flags) != CURLUE_OK) {
        return {};
    }
    std::string result(text);
    curl_free(text);
    return result;
}

/// The URL without what may be a name and a password in front of its host.
std::string without_user_info(std::string_view text) {
    const auto scheme = text.find("://");
    const auto start = scheme == std::string_view::npos ? 0 : scheme + 3;
    const auto end = text.find_first_of("/?#", start);
    const auto at = text.substr(0, end).rfind('@');
    return at == std::string_view::npos || at < start
               ? std::string(text)
               : std::string(text.substr(0, start)) + std::string(text.substr(at + 1));
}

Error bad_url(std::string_view text, std::string cause) {
    return {ErrorKind::config,
            "invalid URL",
            without_user_info(text),
            std::move(cause),
            "kubectl config view --minify"};
}

int default_port(std::string_view scheme) {
    return scheme == "https" ? 443 : scheme == "http" ? 80 : 1080;
}

} // namespace

std::string Url::authority() const {
    const bool bare_ipv6 = host.find(':') != std::string::npos;
    const auto name = bare_ipv6 ? fmt::format("[{}]", host) : host;
    return port == default_port(scheme) ? name : fmt::format("{}:{}", name, port);
}

std::string Url::origin() const {
    return fmt::format("{}://{}", scheme, authority());
}

Result<Url> parse_url(std::string_view text) {
    if (contains(text, std::string_view("\0", 1))) {
        return bad_url(text, "a NUL byte"); // libcurl would see the text before it only
    }
    const std::unique_ptr<CURLU, FreeUrl> parser(curl_url());
    const std::string copy(text);
    const auto status = curl_url_set(
        parser.get(), CURLUPART_URL, copy.c_str(), CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS);
    if (status != CURLUE_OK) {
        return bad_url(text, curl_url_strerror(status));
    }
    Url url;
    url.scheme = to_lower(part(parser.get(), CURLUPART_SCHEME));
    url.host = part(parser.get(), CURLUPART_HOST);
    if (url.host.size() > 2 && url.host.front() == '[') {
        url.host = url.host.substr(1, url.host.size() - 2);
    }
    if (url.host.empty()) {
        return bad_url(text, "no host");
    }
    const auto port = parse_unsigned(part(parser.get(), CURLUPART_PORT));
    if (port == 0U) {
        return bad_url(text, "port 0");
    }
    url.port = port ? static_cast<int>(*port) : default_port(url.scheme);
    url.path = part(parser.get(), CURLUPART_PATH);
    while (!url.path.empty() && url.path.back() == '/') {
        url.path.pop_back();
    }
    url.user_info = part(parser.get(), CURLUPART_USER);
    if (const auto password = part(parser.get(), CURLUPART_PASSWORD); !password.empty()) {
        url.user_info += ':' + password;
    }
    return url;
}

namespace {

constexpr std::string_view k_unreserved =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

std::string escape_all_but(std::string_view part, std::string_view kept) {
    constexpr std::string_view k_digits = "0123456789ABCDEF";
    std::string text;
    for (const char c : part) {
        const auto byte = static_cast<unsigned char>(c);
        if (k_unreserved.find(c) != std::string_view::npos ||
            kept.find(c) != std::string_view::npos) {
            text += c;
        } else {
            text += {'%', k_digits[byte >> 4U], k_digits[byte & 0xFU]};
        }
    }
    return text;
}

} // namespace

std::string escape(std::string_view part) {
    return escape_all_but(part, "");
}

std::string escape_query(std::string_view value) {
    std::string text;
    for (std::size_t at = 0; at <= value.size();) {
        const auto space = std::min(value.find(' ', at), value.size());
        text += escape_all_but(value.substr(at, space - at), "/:");
        text += space < value.size() ? "+" : "";
        at = space + 1;
    }
    return text;
}

} // namespace di::net
