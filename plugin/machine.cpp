#include "machine.hpp"

#include "interrupts.hpp"

#include <fmt/format.h>

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>

namespace di::app {
namespace {

/// Writes all of it; a reader that went away (EPIPE) ends the writing, not the run.
void write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const auto written = write(descriptor, text.data(), text.size());
        if (written > 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (written == 0 || errno != EINTR) {
            return;
        }
    }
}

/// The question goes where the user looks, whatever stdout is.
std::optional<std::string> ask_terminal(std::string_view question) {
    if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) {
        return std::nullopt;
    }
    write_all(STDERR_FILENO, question);
    std::string line;
    char c = 0;
    while (read(STDIN_FILENO, &c, 1) == 1 && c != '\n') {
        line += c;
    }
    return line;
}

/// As kubectl prefixes its log lines (k8s.io/klog): local time with microseconds, and the process.
std::string klog_prefix() {
    const auto now = std::chrono::system_clock::now();
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(
        now.time_since_epoch() % std::chrono::seconds(1));
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    std::tm local{};
    localtime_r(&seconds, &local);
    return fmt::format("I{:02}{:02} {:02}:{:02}:{:02}.{:06} {:7} request] ",
                       local.tm_mon + 1,
                       local.tm_mday,
                       local.tm_hour,
                       local.tm_min,
                       local.tm_sec,
                       micros.count(),
                       getpid());
}

/// 128 bits from the kernel, in hexadecimal.
std::string random_nonce() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        throw std::system_error(errno, std::generic_category(), "getrandom");
    }
    return fmt::format("{:02x}", fmt::join(bytes, ""));
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

OutputKind kind_of(int descriptor) {
    return isatty(descriptor) == 1 ? OutputKind::terminal : OutputKind::pipe;
}

} // namespace

Deps machine_deps(const Clock& clock, int interrupt_descriptor, std::string program_name) {
    return Deps{
        .clock = clock,
        .surroundings = kubeconfig::machine_surroundings(),
        .out = [](std::string_view text) { write_all(STDOUT_FILENO, text); },
        .err = [](std::string_view text) { write_all(STDERR_FILENO, text); },
        .ask = ask_terminal,
        .log_prefix = klog_prefix,
        .nonce = random_nonce,
        .interrupted = Interrupts::happened,
        .interrupt_descriptor = interrupt_descriptor,
        .out_kind = kind_of(STDOUT_FILENO),
        .err_kind = kind_of(STDERR_FILENO),
        .width = terminal_width(STDOUT_FILENO),
        .program_name = std::move(program_name),
        .host_name = host_name(),
    };
}

} // namespace di::app
