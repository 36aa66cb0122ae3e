#include "net/reactor.hpp"

#include <algorithm>

namespace di::net {

Transfer::Transfer()
    : easy_(curl_easy_init()) {
    Options(easy_.get())
        .set(CURLOPT_PRIVATE, static_cast<void*>(this))
        .set(CURLOPT_ERRORBUFFER, static_cast<char*>(error_));
}

Reactor::Reactor(const Clock& clock, int interrupt_fd)
    : clock_(clock),
      interrupt_fd_(interrupt_fd),
      share_(curl_share_init()),
      multi_(curl_multi_init()) {
    // One TLS session serves all connections to the server: each later handshake is a short one.
    curl_share_setopt(share_.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    curl_share_setopt(share_.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
}

bool Reactor::add(Transfer& transfer) {
    return Options(transfer.easy()).set(CURLOPT_SHARE, share_.get()).status() == CURLE_OK &&
           curl_multi_add_handle(multi_.get(), transfer.easy()) == CURLM_OK;
}

void Reactor::remove(Transfer& transfer) {
    curl_multi_remove_handle(multi_.get(), transfer.easy());
}

void Reactor::watch(Watched& watched) {
    watched_.push_back(&watched);
}

void Reactor::unwatch(Watched& watched) {
    watched_.erase(std::remove(watched_.begin(), watched_.end(), &watched), watched_.end());
}

bool Reactor::perform() {
    int running = 0;
    curl_multi_perform(multi_.get(), &running);
    bool news = false;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
        if (message->msg == CURLMSG_DONE) {
            Transfer* transfer = nullptr;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
            transfer->on_done(message->data.result);
            news = true;
        }
    }
    return news;
}

Woke Reactor::poll(Instant until) {
    poll_set_.clear();
    for (const Watched* watched : watched_) {
        poll_set_.push_back({watched->socket(), watched->events(), 0});
    }
    if (interrupt_fd_ >= 0) {
        poll_set_.push_back({interrupt_fd_, CURL_WAIT_POLLIN, 0});
    }
    constexpr Millis k_longest{60'000};
    const auto left = std::chrono::ceil<Millis>(until - clock_.now());
    const auto timeout = std::clamp(left, Millis(0), k_longest);
    curl_multi_poll(multi_.get(),
                    poll_set_.data(),
                    static_cast<unsigned>(poll_set_.size()),
                    static_cast<int>(timeout.count()),
                    nullptr);
    if (interrupt_fd_ >= 0 && poll_set_.back().revents != 0) {
        return Woke::interrupted;
    }
    return clock_.now() >= until ? Woke::deadline : Woke::ready;
}

Woke Reactor::wait(Instant until) {
    if (perform()) { // also gives what was added since its first step, and with it a socket
        return Woke::ready;
    }
    const Woke woke = poll(until);
    perform();
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        watched_[i]->on_ready();
    }
    return woke;
}

} // namespace di::net
