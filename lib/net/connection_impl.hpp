// A CURLOPT_CONNECT_ONLY handle: curl makes the connection, we do the talking. Internal.
#pragma once

#include "net/connection.hpp"
#include "net/endpoint.hpp"
#include "net/reactor.hpp"

#include <string>

namespace di::net {

class Connection::Impl final : public Transfer, public Watched {
public:
    Impl(Reactor& reactor, const Endpoint& endpoint);
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    Impl(Impl&&) = delete;
    Impl& operator=(Impl&&) = delete;
    ~Impl() override;

    void on_done(CURLcode code) override;

    [[nodiscard]] curl_socket_t socket() const override { return socket_; }

    [[nodiscard]] short events() const override;

    void on_ready() override { flush(); }

    void send(std::string_view bytes);
    Received receive(std::string& into, std::size_t limit);

    [[nodiscard]] State state() const { return state_; }

    [[nodiscard]] const Error& failure() const { return failure_; }

private:
    void flush();
    void fail(Error error);

    Reactor& reactor_;
    Endpoint endpoint_;
    EndpointLists lists_;
    State state_ = State::connecting;
    Error failure_;
    curl_socket_t socket_ = CURL_SOCKET_BAD;
    std::string unsent_;
};

} // namespace di::net
