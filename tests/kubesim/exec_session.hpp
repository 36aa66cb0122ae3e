// One upgraded exec: a command's streams on one side, the client's channels on the other.
#pragma once

#include "kubesim/channels.hpp"
#include "kubesim/process.hpp"
#include "kubesim/stop_signal.hpp"
#include "kubesim/transcript.hpp"

#include <poll.h>

#include <array>
#include <optional>

namespace di::kubesim {

/// What the client wants to see, and whether a fault cuts it.
struct OutputPolicy {
    bool output = true;
    bool errors = true;
    bool cut = false; ///< end within the first output
};

class ExecSession {
public:
    ExecSession(Channels& channels, const StopSignal& stop, OutputPolicy policy)
        : channels_(channels),
          stop_(stop),
          policy_(policy) {}

    /// The empty message with which a server opens the stream.
    void greet();

    /// Connects the streams until the command has ended: its exit code; nothing when the client
    /// went away, the run ended or a fault cut the output.
    std::optional<int> connect(Process& process);

    /// The same from memory.
    std::optional<int> play(const Transcript& transcript);

    /// Waits; false when the client went away or the run ended meanwhile. A negative time is
    /// forever.
    bool idle(Millis duration);

private:
    /// Places in the array for poll.
    enum Slot : std::size_t { s_client, s_output, s_errors, s_input, s_ended, s_stop, slots };

    [[nodiscard]] std::array<pollfd, slots> wanted_events(const Process& process) const;
    bool forward(UniqueFd& from, Channel channel, bool wanted);
    void feed(UniqueFd& input);
    bool send(Channel channel, std::string_view bytes);

    Channels& channels_;
    const StopSignal& stop_;
    OutputPolicy policy_;
};

} // namespace di::kubesim
