// A server on loopback that does what a test's script says, once for each connection. Its reads
// give up after ten seconds, so that a broken test ends.
#pragma once

#include <openssl/ssl.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace di::test {

enum class Wire : std::uint8_t { plain, tls, tls_client_certificate };

/// One accepted connection, in the hands of a script.
class Peer {
public:
    Peer(int socket, SSL* tls, int index)
        : socket_(socket),
          tls_(tls),
          index_(index) {}

    /// Reads up to and with `end`; what came so far when the other side closes first.
    std::string read_until(std::string_view end);

    /// Reads a request's head; "" when the other side has closed.
    std::string read_head() { return read_until("\r\n\r\n"); }

    /// Waits until the other side closes.
    void wait_for_close();

    /// In pieces of that many bytes, each a TLS record of its own; 0: at once.
    void write(std::string_view bytes, std::size_t piece = 0);

    /// Ends without TLS's close_notify, with a TCP reset.
    void reset();

    [[nodiscard]] int index() const { return index_; } ///< 0 for the first connection

    [[nodiscard]] int socket() const { return socket_; }

    /// The TLS handshake was a short one, by an earlier session.
    [[nodiscard]] bool resumed() const { return tls_ != nullptr && SSL_session_reused(tls_) == 1; }

private:
    int read_some(char* buffer, int size);

    int socket_;
    SSL* tls_;
    int index_;
    std::string buffered_;
};

using Script = std::function<void(Peer&)>;

class ScriptedServer {
public:
    ScriptedServer(Wire wire, Script script);
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;
    ScriptedServer(ScriptedServer&&) = delete;
    ScriptedServer& operator=(ScriptedServer&&) = delete;

    /// Cuts all connections and waits for their scripts.
    ~ScriptedServer();

    [[nodiscard]] int port() const { return port_; }

    [[nodiscard]] std::string url() const;

    /// Of the server, for 127.0.0.1 and api.test; also good as a client certificate.
    [[nodiscard]] const std::string& certificate_pem() const { return certificate_pem_; }

    [[nodiscard]] const std::string& key_pem() const { return key_pem_; }

    [[nodiscard]] int connections() const { return connections_; }

private:
    void listen();
    void make_certificate();
    void accept_all();
    void serve(int socket, int index);

    struct FreeContext {
        void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    };

    Wire wire_;
    Script script_;
    std::unique_ptr<SSL_CTX, FreeContext> tls_;
    std::string certificate_pem_;
    std::string key_pem_;
    int listener_ = -1;
    int port_ = 0;
    std::atomic<int> connections_{0};
    std::mutex mutex_; ///< guards the two below
    std::vector<int> open_;
    std::vector<std::thread> scripts_;
    std::thread acceptor_;
};

/// A port of 127.0.0.1 on which nobody listens.
int unused_port();

/// An HTTP/1.1 answer with Content-Length.
std::string answer(int status, std::string_view body, std::string_view more_headers = "");

} // namespace di::test
