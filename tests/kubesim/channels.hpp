// The server's end of an exec over WebSocket: channel frames over one TLS connection
// (v5.channel.k8s.io and v4.channel.k8s.io; RFC 6455 framing by wslay).
#pragma once

#include "kubesim/tls_stream.hpp"

#include <wslay/wslay.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace di::kubesim {

enum class Channel : std::uint8_t { input = 0, output = 1, errors = 2, status = 3 };

class Channels {
public:
    /// `first_bytes` were read together with the upgrade request.
    Channels(TlsStream& stream, std::string first_bytes);
    Channels(const Channels&) = delete;
    Channels& operator=(const Channels&) = delete;
    Channels(Channels&&) = delete;
    Channels& operator=(Channels&&) = delete;
    ~Channels() = default;

    /// Queues one message.
    void send(Channel channel, std::string_view bytes);

    /// Queues the Close frame: code 1000, no reason.
    void close();

    /// Moves what can be moved without waiting; false when the client is gone.
    bool pump();

    /// Waits until everything queued is sent; false when the client went away before.
    bool flush();

    [[nodiscard]] int fd() const { return stream_.fd(); }

    /// Bytes that wait to be sent.
    [[nodiscard]] std::size_t backlog() const { return outgoing_.size(); }

    /// Bytes of channel 0 that nobody has taken yet.
    std::string& input() { return input_; }

    /// The client has said that its stdin ended (v5 only).
    [[nodiscard]] bool input_ended() const { return input_ended_; }

private:
    struct ContextDeleter {
        void operator()(wslay_event_context* context) const { wslay_event_context_free(context); }
    };

    static wslay_event_callbacks callbacks();
    bool write_out();
    ssize_t receive(std::uint8_t* buffer, std::size_t size);
    void accept_message(std::string_view message);

    TlsStream& stream_;
    std::string first_bytes_;
    std::string outgoing_;
    std::string input_;
    bool input_ended_ = false;
    bool gone_ = false;
    std::unique_ptr<wslay_event_context, ContextDeleter> context_;
};

} // namespace di::kubesim
