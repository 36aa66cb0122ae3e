#include "kubesim/tls_stream.hpp"

#include <openssl/err.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

namespace di::kubesim {

TlsStream::TlsStream(UniqueFd socket, SSL* ssl)
    : socket_(std::move(socket)),
      ssl_(ssl) {}

Result<TlsStream> TlsStream::accept(SSL_CTX* context, UniqueFd socket) {
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::fcntl(socket.get(), F_SETFL, ::fcntl(socket.get(), F_GETFL) | O_NONBLOCK);
    SSL* const ssl = SSL_new(context);
    SSL_set_fd(ssl, socket.get());
    TlsStream stream(std::move(socket), ssl);
    for (;;) {
        ERR_clear_error();
        const auto step = stream.moved(SSL_accept(ssl));
        if (step.state == Moved::State::some) {
            return stream;
        }
        if (step.state == Moved::State::closed || !stream.wait()) {
            return Error{ErrorKind::protocol, "TLS handshake failed", "", "", ""};
        }
    }
}

Moved TlsStream::moved(int result) {
    if (result > 0) {
        return {Moved::State::some, static_cast<std::size_t>(result)};
    }
    switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ:
        awaited_ = POLLIN;
        return {Moved::State::would_block};
    case SSL_ERROR_WANT_WRITE:
        awaited_ = POLLOUT;
        return {Moved::State::would_block};
    default:
        return {Moved::State::closed};
    }
}

Moved TlsStream::try_read(char* buffer, std::size_t size) {
    ERR_clear_error();
    constexpr std::size_t k_most = 1U << 20U;
    return moved(SSL_read(ssl_.get(), buffer, static_cast<int>(std::min(size, k_most))));
}

Moved TlsStream::try_write(std::string_view bytes) {
    ERR_clear_error();
    constexpr std::size_t k_most = 1U << 20U;
    return moved(
        SSL_write(ssl_.get(), bytes.data(), static_cast<int>(std::min(bytes.size(), k_most))));
}

bool TlsStream::wait() {
    pollfd wanted{socket_.get(), awaited_, 0};
    return ::poll(&wanted, 1, -1) == 1;
}

std::size_t TlsStream::read_some(char* buffer, std::size_t size) {
    for (;;) {
        const auto step = try_read(buffer, size);
        if (step.state == Moved::State::some) {
            return step.bytes;
        }
        if (step.state == Moved::State::closed || !wait()) {
            return 0;
        }
    }
}

bool TlsStream::write_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto step = try_write(bytes);
        if (step.state == Moved::State::closed ||
            (step.state == Moved::State::would_block && !wait())) {
            return false;
        }
        bytes.remove_prefix(step.bytes);
    }
    return true;
}

void reset_at_close(int socket) {
    const linger at_once{1, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

void TlsStream::close_gracefully(Millis patience) {
    SSL_shutdown(ssl_.get());
    ::shutdown(socket_.get(), SHUT_WR);
    const auto deadline = std::chrono::steady_clock::now() + patience;
    std::array<char, 4096> dropped{};
    for (;;) {
        const auto left =
            std::chrono::duration_cast<Millis>(deadline - std::chrono::steady_clock::now());
        pollfd wanted{socket_.get(), POLLIN, 0};
        if (left <= Millis(0) || ::poll(&wanted, 1, static_cast<int>(left.count())) != 1 ||
            ::recv(socket_.get(), dropped.data(), dropped.size(), 0) <= 0) {
            return;
        }
    }
}

} // namespace di::kubesim
