// Everything needed to speak to one API server, resolved: nothing here has to be looked up again.
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace di::model {

/// Text that must never reach a terminal, a log or a report: it has no way to be printed or
/// formatted. Only the code that puts it on the wire calls reveal().
class Secret {
public:
    Secret() = default;

    explicit Secret(std::string text)
        : text_(std::move(text)) {}

    [[nodiscard]] bool empty() const { return text_.empty(); }

    [[nodiscard]] const std::string& reveal() const { return text_; }

    friend bool operator==(const Secret&, const Secret&) = default;

private:
    std::string text_;
};

/// What proves who we are. Any combination may be empty; all empty is an anonymous client.
struct Credentials {
    Secret token; ///< bearer token
    std::string username;
    Secret password;
    std::string certificate_pem;
    Secret key_pem;
    /// How long these may be used, counted from when they were obtained; none: for the whole run.
    std::optional<std::chrono::seconds> lifetime;
};

/// Obtains fresh credentials (re-reads a token file, runs the credential plugin again).
using CredentialRenewal = std::function<Result<Credentials>()>;

enum class TlsVerification : std::uint8_t { verify, skip };

enum class Compression : std::uint8_t { allowed, off };

/// `Impersonate-*` request headers; empty when nobody is impersonated.
struct Impersonation {
    std::string user;
    std::string uid;
    std::vector<std::string> groups;
    std::vector<std::pair<std::string, std::string>> extra; ///< key, value; keys may repeat
};

/// Proxy settings as given; which proxy a URL takes is decided by net::choose_proxy.
struct ProxySettings {
    std::string proxy_url;   ///< of the kubeconfig's cluster or --proxy-url; beats the rest
    std::string https_proxy; ///< HTTPS_PROXY, else https_proxy
    std::string http_proxy;  ///< HTTP_PROXY, else http_proxy
    std::string no_proxy;    ///< NO_PROXY, else no_proxy
};

/// Where requests are told of, as kubectl's -v does; from level 6 on.
struct Trace {
    int level = 0;
    std::function<void(const std::string& line)> say;
};

struct ClientConfig {
    std::string context;        ///< name; "" when there is no kubeconfig
    std::string server;         ///< https://host:port[/prefix], no slash at the end
    std::string ns;             ///< namespace to use when the command line names none; never empty
    std::string ca_pem;         ///< the only trusted roots; "" means the system's
    std::string system_ca_file; ///< SSL_CERT_FILE, or where this distribution keeps its roots
    TlsVerification verification = TlsVerification::verify;
    std::string tls_server_name; ///< SNI and verified name; "" means the server URL's host
    ProxySettings proxy;
    Credentials credentials;
    CredentialRenewal renew; ///< empty when the credentials cannot change
    Impersonation impersonation;
    std::chrono::milliseconds request_timeout{0}; ///< of one ordinary request; 0 means none
    Compression compression = Compression::allowed;
    std::string user_agent = "kubectl-dynamo_interconnect";
    std::vector<std::string> warnings; ///< one line each, for stderr
    Trace trace;
};

} // namespace di::model
