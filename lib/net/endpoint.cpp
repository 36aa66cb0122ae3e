#include "net/endpoint.hpp"

#include "base/strings.hpp"
#include "net/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace di::net {
namespace {

void apply_tls(Options& options, const Tls& tls) {
    const bool verify = tls.verification == model::TlsVerification::verify;
    options.set(CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2})
        .set(CURLOPT_SSL_VERIFYPEER, verify ? 1L : 0L)
        .set(CURLOPT_SSL_VERIFYHOST, verify ? 2L : 0L);
    if (!tls.ca_pem.empty()) {
        // The directory compiled into libcurl would stay trusted beside the given roots.
        options.set(CURLOPT_CAPATH, static_cast<const char*>(nullptr))
            .set(CURLOPT_CAINFO, static_cast<const char*>(nullptr))
            .set_blob(CURLOPT_CAINFO_BLOB, tls.ca_pem);
    } else if (!tls.system_ca_file.empty()) {
        options.set(CURLOPT_CAPATH, static_cast<const char*>(nullptr))
            .set(CURLOPT_CAINFO, tls.system_ca_file);
    }
    if (!tls.certificate_pem.empty()) {
        options.set_blob(CURLOPT_SSLCERT_BLOB, tls.certificate_pem)
            .set_blob(CURLOPT_SSLKEY_BLOB, tls.key_pem.reveal());
    }
}

/// An HTTPS proxy is verified as the server is, as Go does it; no certificate is shown to it.
void apply_proxy_tls(Options& options, const Tls& tls) {
    const bool verify = tls.verification == model::TlsVerification::verify;
    options.set(CURLOPT_PROXY_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2})
        .set(CURLOPT_PROXY_SSL_VERIFYPEER, verify ? 1L : 0L)
        .set(CURLOPT_PROXY_SSL_VERIFYHOST, verify ? 2L : 0L);
    if (!tls.ca_pem.empty()) {
        options.set(CURLOPT_PROXY_CAPATH, static_cast<const char*>(nullptr))
            .set(CURLOPT_PROXY_CAINFO, static_cast<const char*>(nullptr))
            .set_blob(CURLOPT_PROXY_CAINFO_BLOB, tls.ca_pem);
    } else if (!tls.system_ca_file.empty()) {
        options.set(CURLOPT_PROXY_CAPATH, static_cast<const char*>(nullptr))
            .set(CURLOPT_PROXY_CAINFO, tls.system_ca_file);
    }
}

bool has_other_tls_name(const Endpoint& endpoint) {
    return endpoint.url.is_tls() && !endpoint.tls->server_name.empty();
}

std::string proxy_origin(const std::string& proxy) {
    const auto url = parse_url(proxy);
    return url ? url->origin() : std::string();
}

FailureKind kind_of(CURLcode code, long system_error) {
    struct Row {
        CURLcode code;
        FailureKind kind;
    };

    constexpr std::array k_kinds{
        Row{CURLE_COULDNT_RESOLVE_HOST, FailureKind::name_lookup},
        Row{CURLE_COULDNT_RESOLVE_PROXY, FailureKind::proxy},
        Row{CURLE_PROXY, FailureKind::proxy},
        Row{CURLE_PEER_FAILED_VERIFICATION, FailureKind::certificate},
        Row{CURLE_SSL_CONNECT_ERROR, FailureKind::tls},
        Row{CURLE_SSL_CACERT_BADFILE, FailureKind::tls},
        Row{CURLE_SSL_CERTPROBLEM, FailureKind::tls},
        Row{CURLE_OPERATION_TIMEDOUT, FailureKind::timeout},
        Row{CURLE_FILESIZE_EXCEEDED, FailureKind::too_long},
    };
    if (code == CURLE_COULDNT_CONNECT) {
        return system_error == ECONNREFUSED ? FailureKind::refused : FailureKind::unreachable;
    }
    const auto* row = std::find_if(
        k_kinds.begin(), k_kinds.end(), [&](const Row& known) { return known.code == code; });
    return row == k_kinds.end() ? FailureKind::broken : row->kind;
}

} // namespace

std::string host_header(const Endpoint& endpoint) {
    return endpoint.url.authority();
}

Outcome
apply(CURL* easy, const Endpoint& endpoint, const std::string& target, EndpointLists& lists) {
    Url url = endpoint.url;
    Options options(easy);
    if (has_other_tls_name(endpoint)) {
        // libcurl verifies the URL's host: name the TLS server there, and connect elsewhere.
        url.host = endpoint.tls->server_name;
        const bool ipv6 = endpoint.url.host.find(':') != std::string::npos;
        append(
            lists.connect_to,
            fmt::format(fmt::runtime(ipv6 ? "::[{}]:{}" : "::{}:{}"), endpoint.url.host, url.port));
        options.set(CURLOPT_CONNECT_TO, lists.connect_to.get());
    }
    options.set(CURLOPT_URL, url.origin() + url.path + target)
        .set(CURLOPT_PATH_AS_IS, 1L)
        .set(CURLOPT_NOSIGNAL, 1L)
        .set(CURLOPT_TCP_KEEPALIVE, 1L)
        .set(CURLOPT_FOLLOWLOCATION, 0L)
        .set(CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1})
        .set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(endpoint.connect_timeout.count()))
        // Both always: libcurl must not read the environment by its own rules.
        .set(CURLOPT_PROXY, endpoint.proxy)
        .set(CURLOPT_NOPROXY, "")
        // What is meant for the server must not reach the proxy.
        .set(CURLOPT_HEADEROPT, long{CURLHEADER_SEPARATE})
        .set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L)
        .set(CURLOPT_NETRC, long{CURL_NETRC_IGNORED});
#if LIBCURL_VERSION_NUM >= 0x075700
    options.set(CURLOPT_QUICK_EXIT, 1L); // do not wait for a name lookup that has timed out
#endif
    apply_tls(options, *endpoint.tls);
    if (to_lower(endpoint.proxy).compare(0, 8, "https://") == 0) {
        apply_proxy_tls(options, *endpoint.tls);
    }
    if (options.status() != CURLE_OK) {
        return Error{ErrorKind::internal,
                     "cannot prepare a connection",
                     endpoint.url.origin(),
                     curl_easy_strerror(options.status()),
                     ""};
    }
    return Done{};
}

Error transfer_error(CURL* easy,
                     CURLcode code,
                     const Endpoint& endpoint,
                     const char* error_buffer) {
    long system_error = 0;
    long proxy_answer = 0;
    curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &system_error);
    curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &proxy_answer);
    Failure failure;
    failure.kind = kind_of(code, system_error);
    failure.server = endpoint.url.authority();
    failure.host = endpoint.url.host;
    failure.detail = *error_buffer != '\0' ? error_buffer : curl_easy_strerror(code);
    if (!endpoint.proxy.empty()) {
        failure.proxy = proxy_origin(endpoint.proxy);
        failure.proxy_answer = static_cast<int>(proxy_answer);
        const bool at_proxy = failure.kind == FailureKind::refused ||
                              failure.kind == FailureKind::unreachable ||
                              (proxy_answer != 0 && proxy_answer != 200);
        failure.kind = at_proxy ? FailureKind::proxy : failure.kind;
    }
    return to_error(failure);
}

} // namespace di::net
