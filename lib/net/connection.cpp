#include "net/connection.hpp"

#include "net/connection_impl.hpp"

#include <algorithm>
#include <array>

namespace di::net {

Connection::Impl::Impl(Reactor& reactor, const Endpoint& endpoint)
    : reactor_(reactor),
      endpoint_(endpoint) {
    const auto applied = apply(easy(), endpoint_, "", lists_);
    if (!applied) {
        fail(applied.error());
        return;
    }
    const auto status = Options(easy())
                            .set(CURLOPT_CONNECT_ONLY, 1L)
                            .set(CURLOPT_HTTPPROXYTUNNEL, 1L) // also for http: Upgrade needs it
                            .status();
    if (status != CURLE_OK || !reactor_.add(*this)) {
        fail({ErrorKind::internal,
              "cannot prepare a connection",
              endpoint_.url.origin(),
              curl_easy_strerror(status),
              ""});
    }
}

Connection::Impl::~Impl() {
    reactor_.unwatch(*this);
    reactor_.remove(*this);
}

void Connection::Impl::on_done(CURLcode code) {
    if (code != CURLE_OK) {
        fail(transfer_error(easy(), code, endpoint_, error_text()));
        return;
    }
    curl_easy_getinfo(easy(), CURLINFO_ACTIVESOCKET, &socket_);
    state_ = State::open;
    reactor_.watch(*this);
    flush();
}

short Connection::Impl::events() const {
    return static_cast<short>(CURL_WAIT_POLLIN | (unsent_.empty() ? 0 : CURL_WAIT_POLLOUT));
}

void Connection::Impl::send(std::string_view bytes) {
    unsent_ += bytes;
    flush();
}

void Connection::Impl::flush() {
    while (state_ == State::open && !unsent_.empty()) {
        std::size_t sent = 0;
        const auto code = curl_easy_send(easy(), unsent_.data(), unsent_.size(), &sent);
        if (code == CURLE_AGAIN) {
            return;
        }
        if (code != CURLE_OK) {
            unsent_.clear(); // what the other side sent before it closed may still be read
            return;
        }
        unsent_.erase(0, sent);
    }
}

Connection::Received Connection::Impl::receive(std::string& into, std::size_t limit) {
    std::array<char, 16384> piece{};
    std::size_t total = 0;
    while (state_ == State::open) {
        if (total >= limit) {
            return Received::limit;
        }
        std::size_t count = 0;
        const auto code = curl_easy_recv(easy(), piece.data(), piece.size(), &count);
        if (code == CURLE_AGAIN) {
            return Received::all_there_is;
        }
        if (code != CURLE_OK) {
            fail(transfer_error(easy(), code, endpoint_, error_text()));
        }
        if (code != CURLE_OK || count == 0) {
            reactor_.unwatch(*this);
            return Received::end;
        }
        into.append(piece.data(), count);
        total += count;
    }
    return state_ == State::connecting ? Received::all_there_is : Received::end;
}

void Connection::Impl::fail(Error error) {
    state_ = State::failed;
    failure_ = std::move(error);
}

Connection::Connection(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}

Connection::~Connection() = default;

Connection::State Connection::state() const {
    return impl_->state();
}

const Error& Connection::failure() const {
    return impl_->failure();
}

void Connection::send(std::string_view bytes) {
    impl_->send(bytes);
}

Connection::Received Connection::receive(std::string& into, std::size_t limit) {
    return impl_->receive(into, limit);
}

} // namespace di::net
