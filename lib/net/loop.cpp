#include "net/loop.hpp"

#include "base/strings.hpp"
#include "net/connection_impl.hpp"
#include "net/exchange.hpp"
#include "net/reactor.hpp"

#include <algorithm>

namespace di::net {

std::optional<std::string_view> Response::find(std::string_view name) const {
    const auto wanted = to_lower(name);
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto& header) {
        return to_lower(header.first) == wanted;
    });
    return found == headers.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

Result<std::unique_ptr<Loop>> Loop::open(const Clock& clock, int interrupt_fd) {
    static const CURLcode k_library = curl_global_init(CURL_GLOBAL_DEFAULT);
    auto reactor = std::make_unique<Reactor>(clock, interrupt_fd);
    if (k_library != CURLE_OK || !reactor->usable()) {
        return Error{ErrorKind::internal, "cannot start the network library", "", "", ""};
    }
    return std::unique_ptr<Loop>(new Loop(std::move(reactor)));
}

Loop::Loop(std::unique_ptr<Reactor> reactor)
    : reactor_(std::move(reactor)) {}

Loop::~Loop() = default;

Instant Loop::now() const {
    return reactor_->now();
}

Result<Response> Loop::fetch(const Request& request) {
    return fetch_all({request}).front();
}

std::vector<Result<Response>> Loop::fetch_all(const std::vector<Request>& requests) {
    std::vector<std::unique_ptr<Exchange>> exchanges;
    exchanges.reserve(requests.size());
    for (const auto& request : requests) {
        exchanges.push_back(std::make_unique<Exchange>(*reactor_, request));
    }
    const auto under_way = [&] {
        return std::any_of(exchanges.begin(), exchanges.end(), [](const auto& exchange) {
            return !exchange->ended();
        });
    };
    // Each request's own timeout ends it; the hour only bounds one sleep.
    while (under_way() && wait(now() + std::chrono::hours(1)) != Woke::interrupted) {
    }
    std::vector<Result<Response>> answers;
    answers.reserve(exchanges.size());
    for (const auto& exchange : exchanges) {
        answers.push_back(
            exchange->ended().value_or(Error{ErrorKind::network, "interrupted", "", "", ""}));
    }
    return answers;
}

std::unique_ptr<Connection> Loop::connect(const Endpoint& endpoint) {
    return std::make_unique<Connection>(std::make_unique<Connection::Impl>(*reactor_, endpoint));
}

Woke Loop::wait(Instant until) {
    return reactor_->wait(until);
}

Woke Loop::sleep(Millis duration) {
    const Instant until = now() + duration;
    Woke woke = Woke::ready;
    while (woke == Woke::ready) {
        woke = wait(until);
    }
    return woke;
}

} // namespace di::net
