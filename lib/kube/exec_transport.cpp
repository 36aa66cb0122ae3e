#include "kube/exec_transport.hpp"

#include "kube/client.hpp"
#include "kube/exec_outcome.hpp"
#include "kube/requests.hpp"
#include "kube/session.hpp"
#include "kube/status.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <utility>

namespace di::kube {
namespace {

using namespace std::chrono_literals;
using net::Connection;

constexpr Millis k_ping_interval = 20s; // middleboxes close what is silent for 30 to 60 s
/// Longer than for the first request: the server is known to be there, and many handshakes at once
/// take their time on a slow machine. The caller's deadline for each exec comes on top.
constexpr Millis k_connect_timeout = 15s;
constexpr Millis k_close_grace = 500ms; // how long the close may lag behind the Status

ws::UpgradeRequest make_request(const Session& session,
                                const Asked& asked,
                                net::Headers headers,
                                std::random_device& random) {
    ws::UpgradeRequest request;
    request.target = session.endpoint().url.path + asked.target;
    request.host = session.endpoint().url.authority();
    request.protocols = {"v5.channel.k8s.io", "v4.channel.k8s.io"};
    request.headers = std::move(headers);
    std::generate(request.nonce.begin(), request.nonce.end(), [&] {
        return static_cast<std::uint8_t>(random());
    });
    return request;
}

/// One exec, from the connection to its result; starts over once when the server refuses the
/// credentials and there are newer ones.
class Exec {
public:
    Exec(Session& session, std::size_t task, const model::ProbeTask& what, ExecCaps caps)
        : session_(session),
          task_(task),
          what_(what),
          caps_(caps),
          started_(session.loop().now()) {
        connect();
    }

    [[nodiscard]] std::size_t task() const { return task_; }

    /// Does all that can be done without waiting.
    std::optional<model::RawResult> work(Instant now);

    /// When work() has to be called even if no bytes arrive.
    [[nodiscard]] Instant next_deadline() const {
        return std::min(next_ping_, close_by_.value_or(Instant::max()));
    }

    /// The result with what was printed so far.
    [[nodiscard]] model::RawResult finish(model::RawResult result, Instant now) const;

private:
    void connect();
    void receive();
    void keep_time(Instant now);
    bool starts_over();

    Session& session_;
    std::size_t task_;
    model::ProbeTask what_;
    ExecCaps caps_;
    Instant started_;
    std::unique_ptr<Connection> connection_;
    std::unique_ptr<ws::ExecSession> talk_;
    std::optional<Error> failure_; ///< before there was a connection to fail
    Instant next_ping_;
    std::optional<Instant> close_by_; ///< set once the Status is whole
    int generation_ = 0;              ///< of the credentials in use
    bool renewed_ = false;
};

void Exec::connect() {
    auto headers = session_.headers();
    if (!headers) {
        failure_ = headers.error();
        return;
    }
    generation_ = session_.generation();
    std::random_device random;
    auto request = make_request(session_, ask_exec(what_), std::move(*headers), random);
    talk_ = std::make_unique<ws::ExecSession>(
        std::move(request), ws::Caps{caps_.out, caps_.err}, random());
    auto endpoint = session_.endpoint();
    endpoint.connect_timeout = k_connect_timeout;
    connection_ = session_.loop().connect(endpoint);
    connection_->send(talk_->take_output());
    next_ping_ = session_.loop().now() + k_ping_interval;
    close_by_.reset();
}

std::optional<model::RawResult> Exec::work(Instant now) {
    if (failure_) {
        return finish(classify(*failure_), now);
    }
    if (connection_->state() == Connection::State::failed && !talk_->upgraded() &&
        !talk_->ended()) {
        return finish(classify(connection_->failure()), now);
    }
    receive();
    keep_time(now);
    if (!talk_->ended()) {
        connection_->send(talk_->take_output());
        return std::nullopt;
    }
    if (starts_over()) {
        return std::nullopt;
    }
    const bool upgraded = talk_->upgraded();
    session_.tell(ask_exec(what_),
                  upgraded ? "101" : std::to_string(talk_->ended()->head.status),
                  std::chrono::duration_cast<Millis>(now - started_));
    return finish(classify(*talk_->ended(), what_, talk_->out()), now);
}

void Exec::receive() {
    constexpr std::size_t k_piece = std::size_t{256} << 10U;
    std::string bytes;
    auto received = Connection::Received::limit;
    while (received == Connection::Received::limit && !talk_->ended()) {
        bytes.clear();
        received = connection_->receive(bytes, k_piece);
        talk_->receive(bytes);
    }
    if (received == Connection::Received::end) {
        const bool failed = connection_->state() == Connection::State::failed;
        talk_->end_of_stream(failed ? connection_->failure().cause : std::string());
    }
}

void Exec::keep_time(Instant now) {
    if (now >= next_ping_) {
        talk_->ping();
        next_ping_ = now + k_ping_interval;
    }
    if (!close_by_ && !talk_->status().empty() && is_whole_json(talk_->status())) {
        close_by_ = now + k_close_grace;
    }
    if (close_by_ && now >= *close_by_) {
        talk_->accept_status();
    }
}

bool Exec::starts_over() {
    const ws::Ended& ended = *talk_->ended();
    const bool again = ended.ending == ws::Ending::refused && ended.head.status == 401 &&
                       !std::exchange(renewed_, true) && session_.renew_after(generation_);
    if (again) {
        connect();
    }
    return again;
}

model::RawResult Exec::finish(model::RawResult result, Instant now) const {
    if (talk_) {
        result.out = talk_->out();
        result.err = talk_->err();
    }
    result.duration = std::chrono::duration_cast<Millis>(now - started_);
    return result;
}

class ExecTransport final : public model::ExecTransport {
public:
    ExecTransport(std::shared_ptr<Session> session, ExecCaps caps)
        : session_(std::move(session)),
          caps_(caps) {}

    void start(std::size_t task, const model::ProbeTask& what) override {
        execs_.push_back(std::make_unique<Exec>(*session_, task, what, caps_));
    }

    std::vector<model::EndedExec> wait(Instant until) override {
        for (;;) {
            auto ended = work();
            if (!ended.empty() || interrupted_ || session_->loop().now() >= until) {
                interrupted_ = false;
                return ended;
            }
            Instant wake = until;
            for (const auto& exec : execs_) {
                wake = std::min(wake, exec->next_deadline());
            }
            interrupted_ = session_->loop().wait(wake) == net::Woke::interrupted;
        }
    }

    model::RawResult cancel(std::size_t task) override {
        model::RawResult shown;
        const Instant now = session_->loop().now();
        std::erase_if(execs_, [&](const auto& exec) {
            const bool asked = exec->task() == task;
            if (asked) {
                shown = exec->finish({}, now);
            }
            return asked;
        });
        return shown;
    }

private:
    std::vector<model::EndedExec> work() {
        std::vector<model::EndedExec> ended;
        const Instant now = session_->loop().now();
        std::erase_if(execs_, [&](const auto& exec) {
            auto result = exec->work(now);
            if (result) {
                ended.push_back({exec->task(), std::move(*result)});
            }
            return result.has_value();
        });
        return ended;
    }

    std::shared_ptr<Session> session_;
    ExecCaps caps_;
    std::vector<std::unique_ptr<Exec>> execs_;
    bool interrupted_ = false;
};

} // namespace

std::unique_ptr<model::ExecTransport> make_exec_transport(const Client& client, ExecCaps caps) {
    return std::make_unique<ExecTransport>(client.session(), caps);
}

} // namespace di::kube
