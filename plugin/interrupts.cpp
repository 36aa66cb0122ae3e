#include "interrupts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace di::app {
namespace {

constexpr int k_exit_interrupted = 130;

std::atomic<int> signals_seen{0};
std::atomic<int> wake_descriptor{-1};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch them");

void on_signal(int) {
    if (signals_seen.fetch_add(1) > 0) {
        _exit(k_exit_interrupted);
    }
    const char byte = 0;
    // A full pipe wakes as well; there is nothing else to do about a failure here.
    [[maybe_unused]] const auto written = write(wake_descriptor.load(), &byte, 1);
}

} // namespace

Interrupts::Interrupts() {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0) {
        read_end_ = ends[0];
        write_end_ = ends[1];
    }
    wake_descriptor = write_end_;

    struct sigaction action {};

    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

Interrupts::~Interrupts() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    if (read_end_ >= 0) {
        close(read_end_);
        close(write_end_);
    }
}

bool Interrupts::happened() {
    return signals_seen.load() > 0;
}

} // namespace di::app
