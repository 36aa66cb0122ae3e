// The real world as parameters of a run, so that tests can replace it.
#pragma once

#include "base/clock.hpp"
#include "kubeconfig/surroundings.hpp"
#include "terminal.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace di::app {

struct Deps {
    const Clock& clock;
    kubeconfig::Surroundings surroundings;
    std::function<void(std::string_view)> out; ///< stdout: the report and nothing else
    std::function<void(std::string_view)> err; ///< stderr: notes, progress, errors
    /// Shows a question and returns the line that the user typed; nothing without a terminal.
    std::function<std::optional<std::string>(std::string_view)> ask;
    std::function<std::string()> log_prefix; ///< klog's: "I1130 12:39:26.197906    4711 ] "
    std::function<std::string()> nonce;      ///< fresh and unguessable, 32 hex digits
    std::function<bool()> interrupted;
    int interrupt_descriptor = -1; ///< readable once interrupted
    OutputKind out_kind = OutputKind::pipe;
    OutputKind err_kind = OutputKind::pipe;
    std::size_t width = 0;    ///< columns of the terminal on stdout; 0: none
    std::string program_name; ///< as the user types it
    std::string host_name;    ///< of this machine
};

} // namespace di::app
