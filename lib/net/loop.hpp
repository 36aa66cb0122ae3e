// The one event loop: ordinary HTTP requests and raw duplex connections on one curl multi handle,
// one thread. Nothing happens outside its calls.
#pragma once

#include "base/clock.hpp"
#include "base/result.hpp"
#include "net/connection.hpp"
#include "net/http.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace di::net {

class Reactor;

/// Why wait() came back.
enum class Woke : std::uint8_t { ready, deadline, interrupted };

class Loop {
public:
    /// `interrupt_fd`: while it is readable (a signal's self-pipe; never drained here) all waiting
    /// ends at once with Woke::interrupted. -1: none.
    static Result<std::unique_ptr<Loop>> open(const Clock& clock, int interrupt_fd = -1);

    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    Loop(Loop&&) = delete;
    Loop& operator=(Loop&&) = delete;
    ~Loop();

    [[nodiscard]] Instant now() const;

    /// One request from beginning to end. An answer of any status is a value; ErrorKind::network
    /// when there was none, with kubectl's words. Does not retry and follows no redirects.
    Result<Response> fetch(const Request& request);

    /// Several requests side by side; the answers stand in the order of the requests.
    std::vector<Result<Response>> fetch_all(const std::vector<Request>& requests);

    /// Begins to connect; the state is to be watched. The connection must not outlive the loop.
    std::unique_ptr<Connection> connect(const Endpoint& endpoint);

    /// Sleeps until a connection may have news, `until`, or the interrupt.
    Woke wait(Instant until);

    /// Waits that long; connections go on meanwhile. Woke::deadline or Woke::interrupted.
    Woke sleep(Millis duration);

private:
    explicit Loop(std::unique_ptr<Reactor> reactor);

    std::unique_ptr<Reactor> reactor_;
};

} // namespace di::net
