// One accepted TLS connection. The socket never blocks; waiting is explicit.
#pragma once

#include "base/clock.hpp"
#include "base/result.hpp"
#include "kubesim/handles.hpp"

#include <openssl/ssl.h>

#include <cstddef>
#include <memory>
#include <string_view>

namespace di::kubesim {

/// Outcome of one attempt to move bytes.
struct Moved {
    enum class State { some, would_block, closed } state = State::closed;
    std::size_t bytes = 0;
};

/// From now on closing the socket means a TCP reset.
void reset_at_close(int socket);

class TlsStream {
public:
    /// Takes an accepted socket and does the handshake, waiting for the client.
    static Result<TlsStream> accept(SSL_CTX* context, UniqueFd socket);

    Moved try_read(char* buffer, std::size_t size);
    Moved try_write(std::string_view bytes);

    /// Waits for at least one byte; 0 when the client is gone.
    std::size_t read_some(char* buffer, std::size_t size);

    /// Waits until all bytes are handed to the kernel; false when the client is gone.
    bool write_all(std::string_view bytes);

    /// Sends close_notify, then waits until the client has closed too, at most `patience`:
    /// closing with unread bytes in the socket would reset the connection and could take away
    /// output that the client has not read yet.
    void close_gracefully(Millis patience);

    [[nodiscard]] int fd() const { return socket_.get(); }

private:
    struct SslDeleter {
        void operator()(SSL* ssl) const { SSL_free(ssl); }
    };

    TlsStream(UniqueFd socket, SSL* ssl);

    [[nodiscard]] Moved moved(int result);
    bool wait();

    UniqueFd socket_;
    std::unique_ptr<SSL, SslDeleter> ssl_;
    short awaited_ = 0; ///< the poll event that the last attempt lacked
};

} // namespace di::kubesim
