#include "net/exchange.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

namespace di::net {

Exchange::Exchange(Reactor& reactor, const Request& request)
    : reactor_(reactor),
      request_(request) {
    if (const auto prepared = prepare(); !prepared) {
        ended_ = prepared.error();
    } else if (!reactor_.add(*this)) {
        ended_ = Error{ErrorKind::internal, "cannot start a request", request.target, "", ""};
    }
}

Exchange::~Exchange() {
    reactor_.remove(*this);
}

Outcome Exchange::prepare() {
    if (auto applied = apply(easy(), request_.endpoint, request_.target, lists_); !applied) {
        return applied;
    }
    append(headers_, "Host: " + host_header(request_.endpoint));
    append(headers_, "Expect:"); // no waiting for "100 Continue"
    for (const auto& [name, value] : request_.headers) {
        append(headers_, name + ": " + value);
    }
    Options options(easy());
    options.set(CURLOPT_HTTPHEADER, headers_.get())
        .set(CURLOPT_TIMEOUT_MS, static_cast<long>(request_.timeout.count()))
        .set(CURLOPT_WRITEFUNCTION, &Exchange::on_body)
        .set(CURLOPT_WRITEDATA, static_cast<void*>(this))
        .set(CURLOPT_HEADERFUNCTION, &Exchange::on_header)
        .set(CURLOPT_HEADERDATA, static_cast<void*>(this));
    if (request_.compression == model::Compression::allowed) {
        options.set(CURLOPT_ACCEPT_ENCODING, ""); // all that this libcurl can undo
    }
    if (request_.method == Method::post) {
        options.set(CURLOPT_POSTFIELDS, request_.body.data())
            .set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    }
    if (options.status() != CURLE_OK) {
        return Error{ErrorKind::internal,
                     "cannot prepare a request",
                     request_.target,
                     curl_easy_strerror(options.status()),
                     ""};
    }
    return Done{};
}

void Exchange::on_done(CURLcode code) {
    if (code != CURLE_OK) {
        const auto text = too_long_
                              ? fmt::format("the answer is longer than {} bytes", request_.max_body)
                              : std::string(error_text());
        ended_ = transfer_error(
            easy(), too_long_ ? CURLE_FILESIZE_EXCEEDED : code, request_.endpoint, text.c_str());
        return;
    }
    long status = 0;
    curl_easy_getinfo(easy(), CURLINFO_RESPONSE_CODE, &status);
    response_.status = static_cast<int>(status);
    ended_ = std::move(response_);
}

std::size_t Exchange::on_body(const char* data, std::size_t one, std::size_t size, void* user) {
    auto& me = *static_cast<Exchange*>(user);
    const auto count = one * size;
    me.too_long_ = count > me.request_.max_body - me.response_.body.size();
    if (me.too_long_) {
        return 0; // not `count`: libcurl gives up
    }
    me.response_.body.append(data, count);
    return count;
}

std::size_t Exchange::on_header(const char* data, std::size_t one, std::size_t size, void* user) {
    static_cast<Exchange*>(user)->read_header({data, one * size});
    return one * size;
}

void Exchange::read_header(std::string_view line) {
    if (line.substr(0, 5) == "HTTP/") {
        response_.headers.clear(); // an interim answer came before this one
        return;
    }
    const auto colon = line.find(':');
    if (colon != std::string_view::npos) {
        response_.headers.emplace_back(line.substr(0, colon), trim(line.substr(colon + 1)));
    }
}

} // namespace di::net
