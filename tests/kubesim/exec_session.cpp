#include "kubesim/exec_session.hpp"

#include <algorithm>
#include <cerrno>

namespace di::kubesim {
namespace {

constexpr std::size_t k_largest_frame = 32U * 1024U - 1U; ///< with its channel byte 32 KiB
constexpr std::size_t k_most_backlog = 1U << 20U;         ///< then the command has to wait

} // namespace

void ExecSession::greet() {
    channels_.send(policy_.output   ? Channel::output
                   : policy_.errors ? Channel::errors
                                    : Channel::status,
                   {});
}

std::array<pollfd, ExecSession::slots> ExecSession::wanted_events(const Process& process) const {
    const bool can_send = channels_.backlog() < k_most_backlog;
    const bool streams_ended = !process.output.open() && !process.errors.open();
    std::array<pollfd, slots> events{};
    const short client_events = channels_.backlog() > 0 ? POLLIN | POLLOUT : POLLIN;
    events[s_client] = {channels_.fd(), client_events, 0};
    // poll ignores negative descriptors.
    events[s_output] = {can_send ? process.output.get() : -1, POLLIN, 0};
    events[s_errors] = {can_send ? process.errors.get() : -1, POLLIN, 0};
    events[s_input] = {channels_.input().empty() ? -1 : process.input.get(), POLLOUT, 0};
    events[s_ended] = {streams_ended ? process.ended_fd() : -1, POLLIN, 0};
    events[s_stop] = {stop_.fd(), POLLIN, 0};
    return events;
}

std::optional<int> ExecSession::connect(Process& process) {
    for (;;) {
        if (!channels_.pump()) {
            return std::nullopt;
        }
        if (channels_.input_ended() && channels_.input().empty()) {
            process.input.reset();
        }
        auto events = wanted_events(process);
        ::poll(events.data(), events.size(), -1);
        if (events[s_stop].revents != 0) {
            return std::nullopt;
        }
        if (events[s_input].revents != 0) {
            feed(process.input);
        }
        if ((events[s_output].revents != 0 &&
             !forward(process.output, Channel::output, policy_.output)) ||
            (events[s_errors].revents != 0 &&
             !forward(process.errors, Channel::errors, policy_.errors))) {
            return std::nullopt;
        }
        if (events[s_ended].revents != 0) {
            return process.wait();
        }
    }
}

std::optional<int> ExecSession::play(const Transcript& transcript) {
    const auto send_all = [&](Channel channel, std::string_view bytes) {
        while (!bytes.empty()) {
            if (!send(channel, bytes.substr(0, k_largest_frame)) || !channels_.flush()) {
                return false;
            }
            bytes.remove_prefix(std::min(bytes.size(), k_largest_frame));
        }
        return true;
    };
    if ((policy_.output && !send_all(Channel::output, transcript.output)) ||
        (policy_.errors && !send_all(Channel::errors, transcript.errors))) {
        return std::nullopt;
    }
    return transcript.exit_code;
}

bool ExecSession::idle(Millis duration) {
    const auto deadline = std::chrono::steady_clock::now() + duration;
    while (channels_.pump()) {
        const auto left =
            std::chrono::duration_cast<Millis>(deadline - std::chrono::steady_clock::now());
        if (duration >= Millis(0) && left <= Millis(0)) {
            return true;
        }
        std::array<pollfd, 2> events{{{channels_.fd(), POLLIN, 0}, {stop_.fd(), POLLIN, 0}}};
        ::poll(events.data(),
               events.size(),
               duration < Millis(0) ? -1 : static_cast<int>(left.count()));
        if (events[1].revents != 0) {
            return false;
        }
    }
    return false;
}

/// Passes on what one stream has; closes it at its end. False when a fault cuts here.
bool ExecSession::forward(UniqueFd& from, Channel channel, bool wanted) {
    std::array<char, k_largest_frame> chunk{};
    const auto count = ::read(from.get(), chunk.data(), chunk.size());
    if (count == 0 || (count < 0 && errno != EAGAIN)) {
        from.reset();
        return true;
    }
    return count < 0 || !wanted || send(channel, {chunk.data(), static_cast<std::size_t>(count)});
}

/// Gives the command what it takes of the client's input; input that nobody reads is dropped.
void ExecSession::feed(UniqueFd& input) {
    auto& waiting = channels_.input();
    const auto count = ::write(input.get(), waiting.data(), waiting.size());
    if (count >= 0) {
        waiting.erase(0, static_cast<std::size_t>(count));
    } else if (errno != EAGAIN) {
        input.reset();
        waiting.clear();
    }
}

bool ExecSession::send(Channel channel, std::string_view bytes) {
    if (policy_.cut && channel == Channel::output) {
        channels_.send(channel, bytes.substr(0, bytes.size() / 2));
        channels_.flush();
        return false;
    }
    channels_.send(channel, bytes);
    return true;
}

} // namespace di::kubesim
