// What ordinary requests and exec streams share: the way to the server and the credentials.
#pragma once

#include "base/result.hpp"
#include "kube/requests.hpp"
#include "model/client_config.hpp"
#include "net/http.hpp"
#include "net/loop.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace di::kube {

class Session {
public:
    /// See Client::open.
    static Result<std::shared_ptr<Session>> open(model::ClientConfig config, net::Loop& loop);

    /// Any answer is a value. Waits and asks again when the server is busy, once when the
    /// connection broke, and once with renewed credentials when it refuses the present ones.
    Result<net::Response> get(const Asked& asked);

    /// Side by side, each once, within that time; for questions whose answer one can do without.
    std::vector<Result<net::Response>> ask_all(const std::vector<Asked>& questions, Millis timeout);

    /// The headers of a request made now; renews credentials whose lifetime is over.
    Result<net::Headers> headers();

    /// Counts the renewals: which credentials a request was made with.
    [[nodiscard]] int generation() const { return generation_; }

    /// After a 401 for credentials of that generation: true when there are newer ones to try.
    /// However many requests were refused together, the credentials are renewed once.
    bool renew_after(int generation);

    /// Where to connect, with the present client certificate.
    [[nodiscard]] const net::Endpoint& endpoint() const { return endpoint_; }

    /// With the present credentials.
    [[nodiscard]] const model::ClientConfig& config() const { return config_; }

    [[nodiscard]] net::Loop& loop() const { return loop_; }

    std::vector<std::string> take_warnings();

    /// Tells -v of a request that came to its end; `outcome` is "200" or why there was no answer.
    void tell(const Asked& asked, std::string_view outcome, Millis took) const;

private:
    Session(model::ClientConfig config, net::Loop& loop, net::Endpoint endpoint);

    [[nodiscard]] net::Request request_for(const Asked& asked, net::Headers headers) const;
    void tell(const Asked& asked,
              const net::Headers& headers,
              const Result<net::Response>& answer,
              Millis took) const;
    bool renew();
    void adopt(model::Credentials credentials);
    void note_warnings(const net::Response& response);

    model::ClientConfig config_;
    net::Loop& loop_;
    net::Endpoint endpoint_;
    Instant obtained_; ///< when the credentials were
    int generation_ = 0;
    int given_up_ = -1; ///< the generation that a renewal failed to replace
    std::vector<std::string> warnings_;
    std::set<std::string> noted_; ///< each warning is given once
};

} // namespace di::kube
