// One ordinary HTTP request on its way. Internal to this room.
#pragma once

#include "net/endpoint.hpp"
#include "net/http.hpp"
#include "net/reactor.hpp"

#include <optional>
#include <string_view>

namespace di::net {

class Exchange final : public Transfer {
public:
    Exchange(Reactor& reactor, const Request& request);
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    Exchange(Exchange&&) = delete;
    Exchange& operator=(Exchange&&) = delete;
    ~Exchange() override;

    void on_done(CURLcode code) override;

    /// The answer, or why there was none; nothing while it is under way.
    [[nodiscard]] const std::optional<Result<Response>>& ended() const { return ended_; }

private:
    static std::size_t on_body(const char* data, std::size_t one, std::size_t size, void* user);
    static std::size_t on_header(const char* data, std::size_t one, std::size_t size, void* user);

    Outcome prepare();
    void read_header(std::string_view line);

    Reactor& reactor_;
    const Request& request_;
    EndpointLists lists_;
    List headers_;
    Response response_;
    bool too_long_ = false;
    std::optional<Result<Response>> ended_;
};

} // namespace di::net
