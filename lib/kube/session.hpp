// What ordinary requests and exec streams share: the way to the server and the credentials.
#pragma once

#include "base/result.hpp"
#include "kube/requests.hpp"
#include "model/client_config.hpp"
#include "net/http.hpp"
#include "net/loop.hpp"

#include <set>
#include <string>
#include <vector>

namespace di::kube {

class Session {
public:
    /// See Client::open.
    static Result<std::shared_ptr<Session>> open(model::ClientConfig config, net::Loop& loop);

    /// Any answer is a value. Waits and asks again when the server is busy, and once with renewed
    /// credentials when it refuses the present ones.
    Result<net::Response> get(const Asked& asked);

    /// The headers of a request made now; renews credentials whose lifetime is over.
    Result<net::Headers> headers();

    /// Gets fresh credentials after a 401. False when there are none to get.
    bool renew();

    /// Where to connect, with the present client certificate.
    [[nodiscard]] const net::Endpoint& endpoint() const { return endpoint_; }

    [[nodiscard]] net::Loop& loop() const { return loop_; }

    std::vector<std::string> take_warnings();

private:
    Session(model::ClientConfig config, net::Loop& loop, net::Endpoint endpoint);

    void adopt(model::Credentials credentials);
    void note_warnings(const net::Response& response);

    model::ClientConfig config_;
    net::Loop& loop_;
    net::Endpoint endpoint_;
    Instant obtained_; ///< when the credentials were
    std::vector<std::string> warnings_;
    std::set<std::string> noted_; ///< each warning is given once
};

} // namespace di::kube
