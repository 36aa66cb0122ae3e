#include "kube/session.hpp"

#include "base/strings.hpp"
#include "kube/api_error.hpp"
#include "kube/identity.hpp"
#include "kube/trace.hpp"
#include "kube/warnings.hpp"
#include "net/proxy.hpp"
#include "net/retry.hpp"

#include <utility>

namespace di::kube {

Result<std::shared_ptr<Session>> Session::open(model::ClientConfig config, net::Loop& loop) {
    const auto url = net::parse_url(config.server);
    if (!url) {
        return url.error();
    }
    if (url->scheme != "https" && url->scheme != "http") {
        return Error{ErrorKind::config,
                     "invalid server URL",
                     config.server,
                     "the scheme must be https or http",
                     "kubectl config view --minify"};
    }
    auto proxy = net::choose_proxy(*url, config.proxy);
    if (!proxy) {
        return proxy.error();
    }
    if (auto headers = identity_headers(config, config.credentials, *url); !headers) {
        return headers.error();
    }
    net::Endpoint endpoint;
    endpoint.url = *url;
    endpoint.proxy = *proxy;
    return std::shared_ptr<Session>(new Session(std::move(config), loop, std::move(endpoint)));
}

Session::Session(model::ClientConfig config, net::Loop& loop, net::Endpoint endpoint)
    : config_(std::move(config)),
      loop_(loop),
      endpoint_(std::move(endpoint)),
      warnings_(std::exchange(config_.warnings, {})) {
    adopt(std::move(config_.credentials));
}

void Session::adopt(model::Credentials credentials) {
    config_.credentials = std::move(credentials);
    obtained_ = loop_.now();
    auto tls = std::make_shared<net::Tls>();
    tls->ca_pem = config_.ca_pem;
    tls->system_ca_file = config_.system_ca_file;
    tls->verification = config_.verification;
    tls->server_name = config_.tls_server_name;
    tls->certificate_pem = config_.credentials.certificate_pem;
    tls->key_pem = config_.credentials.key_pem;
    endpoint_.tls = std::move(tls);
}

bool Session::renew() {
    if (!config_.renew) {
        return false;
    }
    auto fresh = config_.renew();
    if (!fresh) {
        warnings_.push_back("cannot renew the credentials: " + fresh.error().cause);
        return false;
    }
    ++generation_;
    adopt(std::move(*fresh));
    return true;
}

bool Session::renew_after(int generation) {
    if (generation == generation_ && generation != given_up_ && !renew()) {
        given_up_ = generation;
    }
    return generation != generation_;
}

Result<net::Headers> Session::headers() {
    const auto& lifetime = config_.credentials.lifetime;
    if (lifetime && loop_.now() - obtained_ >= *lifetime && !renew()) {
        obtained_ = loop_.now(); // the last good ones stay in use until the server refuses them
    }
    return identity_headers(config_, config_.credentials, endpoint_.url);
}

net::Request Session::request_for(const Asked& asked, net::Headers headers) const {
    net::Request request;
    request.endpoint = endpoint_;
    request.target = asked.target;
    request.headers = std::move(headers);
    request.timeout = config_.request_timeout;
    request.compression = config_.compression;
    if (!asked.body.empty()) {
        request.method = net::Method::post;
        request.headers.emplace_back("Content-Type", "application/json");
        request.body = asked.body;
    }
    return request;
}

void Session::tell(const Asked& asked, std::string_view outcome, Millis took) const {
    const auto& trace = config_.trace;
    if (trace.level >= k_trace_answers && trace.say) {
        trace.say(trace_answer(asked.body.empty() ? "GET" : "POST",
                               config_.server + asked.target,
                               outcome,
                               took,
                               trace.level));
    }
}

void Session::tell(const Asked& asked,
                   const net::Headers& headers,
                   const Result<net::Response>& answer,
                   Millis took) const {
    const auto& trace = config_.trace;
    if (trace.level < k_trace_answers || !trace.say) {
        return;
    }
    const auto say_all = [&](const std::vector<std::string>& lines) {
        for (const auto& line : lines) {
            trace.say(line);
        }
    };
    if (trace.level >= k_trace_headers) {
        say_all(trace_headers("Request Headers", headers));
    }
    tell(asked, answer ? std::to_string(answer->status) : answer.error().cause, took);
    if (trace.level >= k_trace_bodies && answer) {
        say_all(trace_headers("Response Headers", answer->headers));
        trace.say(trace_body(*answer, trace.level));
    }
}

std::vector<Result<net::Response>> Session::ask_all(const std::vector<Asked>& questions,
                                                    Millis timeout) {
    std::vector<net::Request> requests;
    for (const auto& asked : questions) {
        auto headers = this->headers();
        if (!headers) {
            return std::vector<Result<net::Response>>(questions.size(), headers.error());
        }
        requests.push_back(request_for(asked, std::move(*headers)));
        requests.back().timeout = timeout;
    }
    const Instant started = loop_.now();
    auto answers = loop_.fetch_all(requests);
    const auto took = std::chrono::duration_cast<Millis>(loop_.now() - started);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        tell(questions[i], requests[i].headers, answers[i], took);
        if (answers[i]) {
            note_warnings(*answers[i]);
        }
    }
    return answers;
}

Result<net::Response> Session::get(const Asked& asked) {
    constexpr Millis k_recovery{1'000};
    bool renewed = false;
    bool reconnected = false;
    for (int attempt = 0;; ++attempt) {
        auto headers = this->headers();
        if (!headers) {
            return headers.error();
        }
        const int generation = generation_;
        const auto request = request_for(asked, std::move(*headers));
        const Instant started = loop_.now();
        auto response = loop_.fetch(request);
        tell(asked,
             request.headers,
             response,
             std::chrono::duration_cast<Millis>(loop_.now() - started));
        if (!response) {
            const bool again =
                response.error().kind == ErrorKind::lost && !std::exchange(reconnected, true);
            if (again && loop_.sleep(k_recovery) != net::Woke::interrupted) {
                continue;
            }
            return response;
        }
        note_warnings(*response);
        if (response->status == 401 && !std::exchange(renewed, true) && renew_after(generation)) {
            continue;
        }
        const auto delay = net::retry_delay(*response, attempt);
        if (response->status == 200 && is_web_page(*response)) {
            return web_page(*response);
        }
        if (!delay || loop_.sleep(*delay) == net::Woke::interrupted) {
            return response;
        }
    }
}

void Session::note_warnings(const net::Response& response) {
    for (const auto& [name, value] : response.headers) {
        if (to_lower(name) != "warning") {
            continue;
        }
        for (auto& text : read_warnings(value)) {
            if (noted_.insert(text).second) {
                warnings_.push_back(std::move(text));
            }
        }
    }
}

std::vector<std::string> Session::take_warnings() {
    return std::exchange(warnings_, {});
}

} // namespace di::kube
