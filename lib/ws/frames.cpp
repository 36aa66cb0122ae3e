#include "ws/frames.hpp"

#include <wslay/wslay.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <utility>

namespace di::ws {

class FrameStream::Impl {
public:
    Impl(FrameHandler handler, std::uint32_t mask_seed)
        : handler_(std::move(handler)),
          masks_(mask_seed) {
        wslay_event_callbacks callbacks{};
        callbacks.recv_callback = read_input;
        callbacks.send_callback = write_output;
        callbacks.genmask_callback = make_mask;
        callbacks.on_frame_recv_start_callback = on_frame_start;
        callbacks.on_frame_recv_chunk_callback = on_frame_data;
        callbacks.on_frame_recv_end_callback = on_frame_end;
        callbacks.on_msg_recv_callback = on_message;
        wslay_event_context_ptr context = nullptr;
        if (wslay_event_context_client_init(&context, &callbacks, this) == 0) {
            context_.reset(context);
            wslay_event_config_set_no_buffering(context, 1);
        }
    }

    std::optional<std::string> feed(std::string_view bytes) {
        if (!context_) {
            return "no memory for a WebSocket";
        }
        input_ = bytes;
        const int status = wslay_event_recv(context_.get());
        input_ = {};
        if (error_) {
            return error_;
        }
        // wslay answers what it cannot read with a close of its own and stops reading.
        const bool stopped = wslay_event_get_read_enabled(context_.get()) == 0 &&
                             wslay_event_get_close_received(context_.get()) == 0;
        return status != 0 || stopped ? std::optional<std::string>("malformed WebSocket frame")
                                      : std::nullopt;
    }

    void ping() {
        const wslay_event_msg message{WSLAY_PING, nullptr, 0};
        if (context_) {
            wslay_event_queue_msg(context_.get(), &message);
        }
    }

    std::string take_output() {
        if (context_) {
            wslay_event_send(context_.get());
        }
        return std::exchange(output_, {});
    }

    [[nodiscard]] bool inside_message() const { return inside_frame_ || inside_message_; }

private:
    struct FreeContext {
        void operator()(wslay_event_context_ptr context) const {
            wslay_event_context_free(context);
        }
    };

    static Impl& self(void* user) { return *static_cast<Impl*>(user); }

    static ssize_t read_input(wslay_event_context_ptr context,
                              std::uint8_t* buffer,
                              std::size_t size,
                              int /*flags*/,
                              void* user) {
        auto& input = self(user).input_;
        if (input.empty() || self(user).error_) {
            wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
            return -1;
        }
        const auto count = std::min(size, input.size());
        std::memcpy(buffer, input.data(), count);
        input.remove_prefix(count);
        return static_cast<ssize_t>(count);
    }

    static ssize_t write_output(wslay_event_context_ptr /*context*/,
                                const std::uint8_t* data,
                                std::size_t size,
                                int /*flags*/,
                                void* user) {
        self(user).output_.append(reinterpret_cast<const char*>(data), size);
        return static_cast<ssize_t>(size);
    }

    static int make_mask(wslay_event_context_ptr /*context*/,
                         std::uint8_t* buffer,
                         std::size_t size,
                         void* user) {
        std::generate_n(
            buffer, size, [&] { return static_cast<std::uint8_t>(self(user).masks_()); });
        return 0;
    }

    static void on_frame_start(wslay_event_context_ptr /*context*/,
                               const wslay_event_on_frame_recv_start_arg* frame,
                               void* user) {
        auto& me = self(user);
        me.inside_frame_ = true;
        me.control_ = wslay_is_ctrl_frame(frame->opcode) != 0;
        if (me.control_) {
            return;
        }
        me.inside_message_ = frame->fin == 0;
        if (frame->opcode == WSLAY_TEXT_FRAME) {
            me.error_ = "text message where the protocol is binary";
        } else if (frame->opcode == WSLAY_BINARY_FRAME) {
            me.handler_.on_message_start();
        }
    }

    static void on_frame_data(wslay_event_context_ptr /*context*/,
                              const wslay_event_on_frame_recv_chunk_arg* chunk,
                              void* user) {
        auto& me = self(user);
        if (!me.control_ && !me.error_ && chunk->data_length > 0) {
            me.handler_.on_data({reinterpret_cast<const char*>(chunk->data), chunk->data_length});
        }
    }

    static void on_frame_end(wslay_event_context_ptr /*context*/, void* user) {
        self(user).inside_frame_ = false;
    }

    static void on_message(wslay_event_context_ptr /*context*/,
                           const wslay_event_on_msg_recv_arg* message,
                           void* user) {
        if (message->opcode == WSLAY_CONNECTION_CLOSE) {
            const auto code = message->status_code;
            self(user).handler_.on_close(code == 0 ? std::uint16_t{WSLAY_CODE_NO_STATUS_RCVD}
                                                   : code);
        }
    }

    FrameHandler handler_;
    std::mt19937 masks_;
    std::unique_ptr<wslay_event_context, FreeContext> context_;
    std::string_view input_;
    std::string output_;
    std::optional<std::string> error_;
    bool inside_frame_ = false;
    bool inside_message_ = false;
    bool control_ = false; ///< the frame being read is a ping, pong or close
};

FrameStream::FrameStream(FrameHandler handler, std::uint32_t mask_seed)
    : impl_(std::make_unique<Impl>(std::move(handler), mask_seed)) {}

FrameStream::~FrameStream() = default;

std::optional<std::string> FrameStream::feed(std::string_view bytes) {
    return impl_->feed(bytes);
}

void FrameStream::ping() {
    impl_->ping();
}

std::string FrameStream::take_output() {
    return impl_->take_output();
}

bool FrameStream::inside_message() const {
    return impl_->inside_message();
}

} // namespace di::ws
