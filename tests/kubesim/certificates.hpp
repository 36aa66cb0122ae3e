// The test cluster's own certificate authority, made anew at each start (ECDSA P-256).
#pragma once

#include "base/result.hpp"

#include <openssl/ssl.h>

#include <memory>
#include <string>

namespace di::kubesim {

struct SslCtxDeleter {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

struct ServerIdentity {
    std::unique_ptr<SSL_CTX, SslCtxDeleter> tls; ///< HTTP/1.1 by ALPN, sessions are resumable
    std::string ca_pem;                          ///< what a kubeconfig trusts
};

/// A CA and a server certificate for 127.0.0.1, ::1 and localhost.
Result<ServerIdentity> make_server_identity();

} // namespace di::kubesim
