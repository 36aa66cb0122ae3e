#include "ws/exec_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace di::ws {
namespace {

constexpr std::size_t k_longest_body = std::size_t{64} << 10U;
constexpr std::size_t k_longest_status = std::size_t{256} << 10U;

/// Appends what the cap leaves room for; true when all of it went in.
bool append_capped(std::string& text, std::string_view more, std::size_t cap) {
    const auto room = cap - std::min(cap, text.size());
    text += more.substr(0, room);
    return more.size() <= room;
}

} // namespace

ExecSession::ExecSession(UpgradeRequest request, Caps caps, std::uint32_t mask_seed)
    : request_(std::move(request)),
      caps_(caps),
      frames_({[this] { channel_.reset(); },
               [this](std::string_view data) { on_data(data); },
               [this](std::uint16_t code) {
                   end(status_.empty() ? Ending::lost : Ending::status,
                       fmt::format("connection closed before the exit status (code {})", code));
               }},
              mask_seed),
      to_send_(make_upgrade(request_)) {}

void ExecSession::receive(std::string_view bytes) {
    if (ended_ || bytes.empty()) {
        return;
    }
    if (upgraded_) {
        read_frames(bytes);
        return;
    }
    answer_ += bytes;
    read_answer();
}

void ExecSession::read_answer() {
    HeadRead read = read_head(answer_);
    while (read.state == HeadState::complete && read.head.status < 200 &&
           read.head.status != 101) { // interim responses (RFC 9110, 15.2)
        answer_.erase(0, read.head.size);
        read = read_head(answer_);
    }
    if (read.state == HeadState::malformed) {
        end(Ending::violation, "the answer to the upgrade request is not HTTP/1.1");
    } else if (read.state == HeadState::complete && read.head.status == 101) {
        switch_protocol(read.head);
    } else if (read.state == HeadState::complete) {
        const Body body = read_body(read.head, std::string_view(answer_).substr(read.head.size));
        if (body.complete || body.text.size() >= k_longest_body) {
            end(Ending::refused, {});
        }
    }
}

void ExecSession::switch_protocol(const ResponseHead& head) {
    if (const auto protocol = check_upgrade(head, request_); !protocol) {
        end(Ending::violation, protocol.error().cause);
        return;
    }
    upgraded_ = true;
    const std::string first_frames = answer_.substr(head.size); // may come in the head's piece
    answer_.clear();
    read_frames(first_frames);
}

void ExecSession::read_frames(std::string_view bytes) {
    if (const auto broken = frames_.feed(bytes); broken && !ended_) {
        end(Ending::violation, *broken);
    }
}

void ExecSession::on_data(std::string_view data) {
    if (ended_) {
        return;
    }
    if (!channel_) {
        channel_ = static_cast<unsigned char>(data.front());
        data.remove_prefix(1);
    }
    if (*channel_ == 1 && !append_capped(out_, data, caps_.out)) {
        end(Ending::overflow, fmt::format("stdout is longer than {} bytes", caps_.out));
    } else if (*channel_ == 2) {
        append_capped(err_, data, caps_.err);
    } else if (*channel_ == 3 && !append_capped(status_, data, k_longest_status)) {
        end(Ending::violation, "endless exit status");
    }
}

void ExecSession::end_of_stream(std::string_view detail) {
    if (ended_) {
        return;
    }
    const std::string suffix = detail.empty() ? std::string() : fmt::format(": {}", detail);
    const HeadRead read = upgraded_ ? HeadRead() : read_head(answer_);
    if (read.state == HeadState::complete) {
        end(Ending::refused, {}); // a body without a length ends with the stream
    } else if (!upgraded_) {
        end(Ending::lost, "connection closed before the answer to the upgrade request" + suffix);
    } else if (frames_.inside_message()) {
        end(Ending::lost, "connection closed in the middle of a message" + suffix);
    } else if (status_.empty()) {
        end(Ending::lost, "connection closed before the exit status" + suffix);
    } else {
        end(Ending::status, {});
    }
}

void ExecSession::accept_status() {
    if (!ended_ && !status_.empty()) {
        end(Ending::status, {});
    }
}

void ExecSession::ping() {
    if (upgraded_ && !ended_ && status_.empty()) {
        frames_.ping();
    }
}

std::string ExecSession::take_output() {
    if (!to_send_.empty()) {
        return std::exchange(to_send_, {});
    }
    return upgraded_ && !ended_ && status_.empty() ? frames_.take_output() : std::string();
}

void ExecSession::end(Ending ending, std::string_view detail) {
    Ended ended;
    ended.ending = ending;
    if (ending == Ending::refused) {
        ended.head = read_head(answer_).head;
        ended.body = read_body(ended.head, std::string_view(answer_).substr(ended.head.size)).text;
        ended.body.resize(std::min(ended.body.size(), k_longest_body));
    } else if (ending == Ending::status) {
        ended.status = status_;
    } else {
        ended.detail = detail;
    }
    ended_ = std::move(ended);
}

} // namespace di::ws
