// One `pods/exec` conversation, from the upgrade request to the exit status, as a pure machine:
// bytes in, bytes out. Where the pieces are cut makes no difference to the result.
// Channels: first byte of each message, 1 stdout, 2 stderr, 3 one metav1.Status as JSON
// (k8s.io/kubelet/pkg/cri/streaming/remotecommand/websocket.go).
#pragma once

#include "ws/frames.hpp"
#include "ws/handshake.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace di::ws {

/// How the conversation ended. Whether the command did is what the Status says.
enum class Ending : std::uint8_t {
    refused,  ///< answered with an HTTP response other than 101: `head`, `body`
    status,   ///< channel 3 has come whole: `status`
    lost,     ///< the stream ended without one: `detail`
    overflow, ///< stdout went over its cap; what fits was kept
    violation ///< the other side broke the protocol: `detail`
};

struct Ended {
    Ending ending = Ending::lost;
    ResponseHead head;
    std::string body; ///< at most 64 KiB
    std::string status;
    std::string detail;
};

struct Caps {
    std::size_t out = 0; ///< bytes kept of stdout; more ends the conversation
    std::size_t err = 0; ///< bytes kept of stderr; more is dropped
};

class ExecSession {
public:
    ExecSession(UpgradeRequest request, Caps caps, std::uint32_t mask_seed);

    /// Bytes that arrived. Ignored once ended.
    void receive(std::string_view bytes);

    /// The stream ended; `detail` says how, when it was not an orderly end.
    void end_of_stream(std::string_view detail = {});

    /// Keeps middleboxes from closing a silent connection. Nothing is sent before the upgrade nor
    /// after the Status has begun: a byte that meets a closed socket there would cost the rest.
    void ping();

    /// Bytes to send next.
    std::string take_output();

    [[nodiscard]] const std::optional<Ended>& ended() const { return ended_; }

    /// Channel 3 so far. The server may go silent after it instead of closing.
    [[nodiscard]] const std::string& status() const { return status_; }

    /// Takes the Status as complete, though no close has come.
    void accept_status();

    [[nodiscard]] bool upgraded() const { return upgraded_; }

    [[nodiscard]] const std::string& out() const { return out_; }

    [[nodiscard]] const std::string& err() const { return err_; }

private:
    void read_answer();
    void switch_protocol(const ResponseHead& head);
    void read_frames(std::string_view bytes);
    void on_data(std::string_view data);
    void end(Ending ending, std::string_view detail);

    UpgradeRequest request_;
    Caps caps_;
    FrameStream frames_;
    std::string to_send_;
    std::string answer_; ///< what came before the upgrade was complete
    std::string out_;
    std::string err_;
    std::string status_;
    std::optional<unsigned char> channel_; ///< of the current message; none: not read yet
    bool upgraded_ = false;
    std::optional<Ended> ended_;
};

} // namespace di::ws
