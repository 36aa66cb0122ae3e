#include "ws/http_head.hpp"

#include "base/strings.hpp"
#include "fuzz.hpp"
#include "net/url.hpp"
#include "ws/handshake.hpp"

namespace {

using namespace di;
using fuzz::require;

void require_head(std::string_view input) {
    const auto read = ws::read_head(input);
    if (read.state != ws::HeadState::complete) {
        return;
    }
    require(read.head.status >= 100 && read.head.status <= 599, "a status is one of HTTP");
    require(read.head.size <= input.size(), "a head never exceeds the answer");
    for (std::size_t size = 0; size < read.head.size; size += 1 + read.head.size / 64) {
        require(ws::read_head(input.substr(0, size)).state == ws::HeadState::incomplete,
                "the beginning of a good head may go on");
    }
    const auto body = ws::read_body(read.head, input.substr(read.head.size));
    require(body.text.size() <= input.size() - read.head.size, "a body never exceeds the answer");
    ws::UpgradeRequest request;
    request.protocols = {"v5.channel.k8s.io", "v4.channel.k8s.io"};
    const auto chosen = ws::check_upgrade(read.head, request);
    require(!chosen.ok() || contains("v5.channel.k8s.io v4.channel.k8s.io", *chosen),
            "a chosen protocol was offered");
}

void require_url(std::string_view input) {
    const auto url = net::parse_url(input);
    if (!url.ok()) {
        return;
    }
    require(!url->host.empty() && url->port > 0 && url->port <= 65535, "a URL has host and port");
    const auto again = net::parse_url(url->origin() + url->path);
    require(again.ok() && again->origin() == url->origin() && again->path == url->path,
            "a URL reads the same when printed again");
}

} // namespace

DI_FUZZ_TARGET(http_head) {
    require_head(input);
    require_url(input);
}
