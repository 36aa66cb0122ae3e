// WebSocket frames, client side (RFC 6455, section 5), over wslay. Pure: bytes in, events out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace di::ws {

/// Called while bytes are fed. A message may come in any number of pieces, in memory bounded by
/// what was fed.
struct FrameHandler {
    std::function<void()> on_message_start;
    std::function<void(std::string_view)> on_data;
    std::function<void(std::uint16_t code)> on_close; ///< 1005: without a code
};

class FrameStream {
public:
    /// `mask_seed` feeds the masking keys. They need not be unguessable here: the masked bytes
    /// are pings and closes, never text that somebody else chose.
    FrameStream(FrameHandler handler, std::uint32_t mask_seed);
    FrameStream(const FrameStream&) = delete;
    FrameStream& operator=(const FrameStream&) = delete;
    FrameStream(FrameStream&&) = delete;
    FrameStream& operator=(FrameStream&&) = delete;
    ~FrameStream();

    /// Reads frames. What breaks the protocol, text messages included (the exec protocols are
    /// binary), is returned in words; nothing may be fed after that, nor after a close. Where the
    /// stream is cut makes no difference but for one: a close's reason that is not UTF-8 breaks the
    /// protocol only when it comes in one piece (wslay).
    std::optional<std::string> feed(std::string_view bytes);

    /// Queues a ping.
    void ping();

    /// Bytes to send: pings and answers to the other side's pings.
    std::string take_output();

    /// Some frame has begun and not ended: a stream that ends here was cut.
    [[nodiscard]] bool inside_message() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace di::ws
