#include "ws/exec_session.hpp"

#include "fuzz.hpp"
#include "unit/ws/server_frames.hpp"

#include <tuple>

namespace {

using namespace di;
using fuzz::require;

constexpr ws::Caps k_caps{1U << 12U, 1U << 10U};

ws::UpgradeRequest request() {
    ws::UpgradeRequest asked;
    asked.target = "/api/v1/namespaces/n/pods/p/exec?command=sh&stdout=true";
    asked.host = "127.0.0.1:6443";
    asked.protocols = {"v5.channel.k8s.io", "v4.channel.k8s.io"};
    return asked;
}

/// All that a conversation leaves behind.
using Left = std::tuple<ws::Ending, std::string, std::string, std::string, std::string>;

/// Up to what frames.hpp excepts.
bool same(const Left& one, const Left& other) {
    const bool violation = std::get<ws::Ending>(one) == ws::Ending::violation ||
                           std::get<ws::Ending>(other) == ws::Ending::violation;
    return one == other || (violation && std::get<3>(one) == std::get<3>(other) &&
                            std::get<4>(one) == std::get<4>(other));
}

Left converse(std::string_view bytes, std::size_t piece) {
    ws::ExecSession session(request(), k_caps, 7);
    while (!bytes.empty()) {
        const auto part = bytes.substr(0, piece);
        session.receive(part);
        bytes.remove_prefix(part.size());
    }
    session.end_of_stream();
    require(session.ended().has_value(), "a stream that ended ends the conversation");
    require(session.out().size() <= k_caps.out && session.err().size() <= k_caps.err,
            "what is kept stays below its cap");
    const auto& ended = *session.ended();
    require(ended.ending == ws::Ending::refused || ended.ending == ws::Ending::status ||
                !ended.detail.empty(),
            "a conversation that failed says how");
    return {ended.ending, ended.status, ended.body, session.out(), session.err()};
}

} // namespace

/// The input as the server's whole answer, and as what follows a good upgrade.
DI_FUZZ_TARGET(exec_session) {
    const auto switched =
        test::switching(ws::expected_accept(request().nonce), "v5.channel.k8s.io");
    for (const auto& bytes : {std::string(input), switched + std::string(input)}) {
        require(same(converse(bytes, bytes.size() + 1), converse(bytes, 1)),
                "where the pieces are cut makes no difference");
    }
    const auto [ending, status, body, out, err] =
        converse(switched + test::on_channel(1, input) + test::on_channel(3, test::k_success), 7);
    require(out == input.substr(0, k_caps.out), "what the command printed comes out as it went in");
    require((ending == ws::Ending::status) == (input.size() <= k_caps.out),
            "and more than the cap ends the conversation");
}
