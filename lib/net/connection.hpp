// A raw duplex byte stream: TCP, through the proxy, inside TLS, and nothing said yet.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace di::net {

class Connection {
public:
    enum class State : std::uint8_t { connecting, open, failed };

    enum class Received : std::uint8_t {
        all_there_is, ///< everything that has come so far
        limit,        ///< as much as was asked for; there may be more
        end,          ///< the other side closed; a state of `failed` says that it was not orderly
    };

    class Impl;
    explicit Connection(std::unique_ptr<Impl> impl);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    Connection(Connection&&) = delete;
    Connection& operator=(Connection&&) = delete;
    ~Connection();

    [[nodiscard]] State state() const;

    /// Why the state is `failed`.
    [[nodiscard]] const Error& failure() const;

    /// Queues bytes and sends what the socket takes; the rest follows with the loop's waits.
    void send(std::string_view bytes);

    /// Appends about `limit` bytes that have come to `into`. TLS may hold bytes that no poll can
    /// see: do not wait before this gave something else than `limit`.
    Received receive(std::string& into, std::size_t limit);

private:
    std::unique_ptr<Impl> impl_;
};

} // namespace di::net
