// The curl multi handle and what hangs on it. Internal to this room.
#pragma once

#include "base/clock.hpp"
#include "base/result.hpp"
#include "net/curl_handles.hpp"
#include "net/loop.hpp"

#include <vector>

namespace di::net {

/// A handle that is in the multi handle, and where its end is reported.
class Transfer {
public:
    Transfer();
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;
    Transfer(Transfer&&) = delete;
    Transfer& operator=(Transfer&&) = delete;
    virtual ~Transfer() = default;

    virtual void on_done(CURLcode code) = 0;

    [[nodiscard]] CURL* easy() const { return easy_.get(); }

    [[nodiscard]] const char* error_text() const { return error_; }

private:
    Easy easy_;
    char error_[CURL_ERROR_SIZE] = {};
};

/// A socket that is polled beside curl's own.
class Watched {
public:
    Watched() = default;
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
    Watched(Watched&&) = delete;
    Watched& operator=(Watched&&) = delete;
    virtual ~Watched() = default;

    [[nodiscard]] virtual curl_socket_t socket() const = 0;
    [[nodiscard]] virtual short events() const = 0; ///< CURL_WAIT_POLLIN, CURL_WAIT_POLLOUT
    virtual void on_ready() = 0;
};

class Reactor {
public:
    Reactor(const Clock& clock, int interrupt_fd);
    Reactor(const Reactor&) = delete;
    Reactor& operator=(const Reactor&) = delete;
    Reactor(Reactor&&) = delete;
    Reactor& operator=(Reactor&&) = delete;
    ~Reactor() = default;

    [[nodiscard]] bool usable() const { return multi_ && share_; }

    [[nodiscard]] Instant now() const { return clock_.now(); }

    /// Both from adding to removing, the transfer must stay where it is.
    bool add(Transfer& transfer);
    void remove(Transfer& transfer);

    void watch(Watched& watched);
    void unwatch(Watched& watched);

    Woke wait(Instant until);

private:
    bool perform(); ///< true when a transfer came to its end
    Woke poll(Instant until);

    const Clock& clock_;
    int interrupt_fd_;
    Share share_; ///< outlives the handles that use it
    Multi multi_;
    std::vector<Watched*> watched_;
    std::vector<curl_waitfd> poll_set_; ///< kept to spare an allocation a wait
};

} // namespace di::net
