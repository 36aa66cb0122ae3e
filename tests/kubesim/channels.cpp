#include "kubesim/channels.hpp"

#include <poll.h>

#include <algorithm>
#include <cstring>

namespace di::kubesim {
namespace {

constexpr std::size_t k_most_input = 1U << 20U; ///< then reading waits for the command
constexpr char k_close_channel = '\xFF';

Channels& self(void* user_data) {
    return *static_cast<Channels*>(user_data);
}

} // namespace

wslay_event_callbacks Channels::callbacks() {
    wslay_event_callbacks table{};
    table.recv_callback =
        [](wslay_event_context_ptr context, uint8_t* buffer, size_t size, int, void* data) {
            const auto count = self(data).receive(buffer, size);
            if (count <= 0) {
                wslay_event_set_error(
                    context, self(data).gone_ ? WSLAY_ERR_CALLBACK_FAILURE : WSLAY_ERR_WOULDBLOCK);
                return ssize_t{-1};
            }
            return count;
        };
    table.send_callback =
        [](wslay_event_context_ptr, const uint8_t* bytes, size_t size, int, void* data) {
            self(data).outgoing_.append(reinterpret_cast<const char*>(bytes), size);
            return static_cast<ssize_t>(size);
        };
    table.on_msg_recv_callback =
        [](wslay_event_context_ptr, const wslay_event_on_msg_recv_arg* message, void* data) {
            if (message->opcode == WSLAY_CONNECTION_CLOSE) {
                self(data).gone_ = true;
            } else if (message->opcode == WSLAY_BINARY_FRAME) {
                self(data).accept_message(
                    {reinterpret_cast<const char*>(message->msg), message->msg_length});
            }
        };
    return table;
}

Channels::Channels(TlsStream& stream, std::string first_bytes)
    : stream_(stream),
      first_bytes_(std::move(first_bytes)) {
    const auto table = callbacks();
    wslay_event_context_ptr context = nullptr;
    wslay_event_context_server_init(&context, &table, this);
    context_.reset(context);
}

void Channels::send(Channel channel, std::string_view bytes) {
    std::string message(1, static_cast<char>(channel));
    message += bytes;
    const wslay_event_msg frame{
        WSLAY_BINARY_FRAME, reinterpret_cast<const uint8_t*>(message.data()), message.size()};
    wslay_event_queue_msg(context_.get(), &frame);
    wslay_event_send(context_.get());
}

void Channels::close() {
    wslay_event_queue_close(context_.get(), WSLAY_CODE_NORMAL_CLOSURE, nullptr, 0);
    wslay_event_send(context_.get());
}

bool Channels::pump() {
    if (wslay_event_recv(context_.get()) != 0) {
        gone_ = true;
    }
    wslay_event_send(context_.get()); // pongs
    return write_out() && !gone_;
}

bool Channels::flush() {
    while (write_out()) {
        if (outgoing_.empty()) {
            return true;
        }
        pollfd writable{stream_.fd(), POLLOUT, 0};
        ::poll(&writable, 1, -1);
    }
    return false;
}

bool Channels::write_out() {
    std::size_t sent = 0;
    while (sent < outgoing_.size()) {
        const auto step = stream_.try_write(std::string_view(outgoing_).substr(sent));
        if (step.state == Moved::State::closed) {
            gone_ = true;
            return false;
        }
        if (step.state == Moved::State::would_block) {
            break;
        }
        sent += step.bytes;
    }
    outgoing_.erase(0, sent);
    return true;
}

ssize_t Channels::receive(std::uint8_t* buffer, std::size_t size) {
    if (input_.size() > k_most_input) {
        return 0;
    }
    if (!first_bytes_.empty()) {
        const auto count = std::min(size, first_bytes_.size());
        std::memcpy(buffer, first_bytes_.data(), count);
        first_bytes_.erase(0, count);
        return static_cast<ssize_t>(count);
    }
    const auto step = stream_.try_read(reinterpret_cast<char*>(buffer), size);
    gone_ = gone_ || step.state == Moved::State::closed;
    return static_cast<ssize_t>(step.bytes);
}

void Channels::accept_message(std::string_view message) {
    if (message.empty()) {
        return;
    }
    const auto rest = message.substr(1);
    if (message[0] == static_cast<char>(Channel::input)) {
        input_ += rest;
    } else if (message[0] == k_close_channel && rest == std::string_view("\0", 1)) {
        input_ended_ = true;
    }
}

} // namespace di::kubesim
