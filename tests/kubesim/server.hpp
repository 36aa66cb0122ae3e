// Accepts connections on loopback, one thread each.
#pragma once

#include "kubesim/handles.hpp"
#include "kubesim/outage.hpp"
#include "kubesim/stop_signal.hpp"

#include <openssl/ssl.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace di::kubesim {

class TlsStream;

/// A listening socket on 127.0.0.0/8: commands are run for whoever can connect.
struct Listener {
    UniqueFd socket;
    std::string address; ///< host:port, the port as the kernel chose it
};

Result<Listener> listen_on(std::string_view address);

class Server {
public:
    using Serve = std::function<void(TlsStream&)>;

    /// `outage`: while it lasts, connections are reset instead of being served.
    Server(SSL_CTX* tls, Serve serve, const Outage& outage)
        : tls_(tls),
          serve_(std::move(serve)),
          outage_(outage) {}

    /// Returns after `stop`, when every connection's thread has ended.
    void run(const Listener& listener, const StopSignal& stop);

    /// Ends every connection; the server goes on.
    void drop_connections();

private:
    void start_connection(UniqueFd socket);
    void finish_connections();

    SSL_CTX* tls_;
    Serve serve_;
    const Outage& outage_;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::set<int> sockets_; ///< of the live connections
    std::size_t threads_ = 0;
};

} // namespace di::kubesim
