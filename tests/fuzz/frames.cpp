#include "ws/frames.hpp"

#include "base/strings.hpp"
#include "fuzz.hpp"
#include "unit/ws/server_frames.hpp"

#include <string>

namespace {

using namespace di;
using fuzz::require;

/// What a stream of frames said.
struct Heard {
    std::string text;
    std::size_t messages = 0;
    std::size_t closes = 0;
    bool broken = false;
};

/// Feeds the bytes in pieces of `piece`, up to a close or an error.
Heard hear(std::string_view bytes, std::size_t piece) {
    Heard heard;
    ws::FrameStream stream({[&] { ++heard.messages; },
                            [&](std::string_view data) { heard.text += data; },
                            [&](std::uint16_t) { ++heard.closes; }},
                           7);
    while (!bytes.empty() && !heard.broken && heard.closes == 0) {
        const auto part = bytes.substr(0, piece);
        bytes.remove_prefix(part.size());
        heard.broken = stream.feed(part).has_value();
    }
    return heard;
}

} // namespace

/// The input as a stream of frames, and as the payload of one.
DI_FUZZ_TARGET(frames) {
    const auto at_once = hear(input, input.size() + 1);
    const auto in_bytes = hear(input, 1);
    require(at_once.text.size() <= input.size(), "no byte is invented");
    require(at_once.closes <= 1, "a stream closes once");
    require(at_once.text == in_bytes.text, "where a stream is cut makes no difference");
    require(at_once.broken || in_bytes.broken || at_once.closes == in_bytes.closes,
            "nor to how it ends, up to what frames.hpp excepts");

    for (const auto fin : {test::Fin::yes, test::Fin::no}) {
        std::string framed = test::frame(test::k_binary, input, fin);
        if (fin == test::Fin::no) {
            framed += test::frame(test::k_continuation, "rest");
        }
        const auto heard = hear(framed, 3);
        require(!heard.broken && heard.messages == 1, "a frame is one message");
        require(heard.text == std::string(input) + (fin == test::Fin::no ? "rest" : ""),
                "a frame's payload comes out as it went in");
    }
}
