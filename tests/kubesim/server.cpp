#include "kubesim/server.hpp"

#include "base/strings.hpp"
#include "kubesim/tls_stream.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

namespace di::kubesim {
namespace {

constexpr int k_backlog = 1024;

} // namespace

Result<Listener> listen_on(std::string_view address) {
    const auto colon = address.rfind(':');
    const std::string host(address.substr(0, colon));
    const auto port =
        colon == std::string_view::npos ? std::nullopt : parse_unsigned(address.substr(colon + 1));
    sockaddr_in wanted{};
    wanted.sin_family = AF_INET;
    if (!port || *port > 65535 || ::inet_pton(AF_INET, host.c_str(), &wanted.sin_addr) != 1 ||
        host.rfind("127.", 0) != 0) {
        return Error{ErrorKind::usage,
                     "bad --listen",
                     std::string(address),
                     "must be a loopback address and a port, e.g. 127.0.0.1:0",
                     ""};
    }
    wanted.sin_port = htons(static_cast<std::uint16_t>(*port));
    Listener listener{UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), {}};
    const int on = 1;
    ::setsockopt(listener.socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    socklen_t size = sizeof wanted;
    auto* const generic = reinterpret_cast<sockaddr*>(&wanted);
    if (::bind(listener.socket.get(), generic, size) != 0 ||
        ::listen(listener.socket.get(), k_backlog) != 0 ||
        ::getsockname(listener.socket.get(), generic, &size) != 0) {
        return Error{
            ErrorKind::network, "cannot listen", std::string(address), std::strerror(errno), ""};
    }
    listener.address = fmt::format("{}:{}", host, ntohs(wanted.sin_port));
    return listener;
}

void Server::run(const Listener& listener, const StopSignal& stop) {
    std::array<pollfd, 2> events{{{listener.socket.get(), POLLIN, 0}, {stop.fd(), POLLIN, 0}}};
    while (events[1].revents == 0) {
        ::poll(events.data(), events.size(), -1);
        if (events[0].revents != 0) {
            UniqueFd socket(::accept4(listener.socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
            if (socket.open() && outage_.lasts()) {
                reset_at_close(socket.get());
            } else if (socket.open()) {
                start_connection(std::move(socket));
            }
        }
    }
    finish_connections();
}

void Server::start_connection(UniqueFd socket) {
    const int fd = socket.get();
    {
        const std::lock_guard lock(mutex_);
        sockets_.insert(fd);
        ++threads_;
    }
    std::thread([this, fd, owned = std::move(socket)]() mutable {
        {
            auto stream = TlsStream::accept(tls_, std::move(owned));
            if (stream) {
                serve_(*stream);
            }
            // Forgotten before it is closed: afterwards the number may be another connection's.
            const std::lock_guard lock(mutex_);
            sockets_.erase(fd);
        }
        // Told under the lock: afterwards this server may be gone.
        const std::lock_guard lock(mutex_);
        --threads_;
        ended_.notify_all();
    }).detach();
}

void Server::drop_connections() {
    const std::lock_guard lock(mutex_);
    for (const int fd : sockets_) {
        reset_at_close(fd);
        ::shutdown(fd, SHUT_RDWR);
    }
}

void Server::finish_connections() {
    std::unique_lock lock(mutex_);
    for (const int fd : sockets_) {
        ::shutdown(fd, SHUT_RDWR);
    }
    ended_.wait(lock, [&] { return threads_ == 0; });
}

} // namespace di::kubesim
