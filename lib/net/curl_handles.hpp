// Owners of libcurl's handles. Internal to this room.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

namespace di::net {

struct FreeEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};

struct FreeMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};

struct FreeShare {
    void operator()(CURLSH* share) const { curl_share_cleanup(share); }
};

struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

using Easy = std::unique_ptr<CURL, FreeEasy>;
using Multi = std::unique_ptr<CURLM, FreeMulti>;
using Share = std::unique_ptr<CURLSH, FreeShare>;
using List = std::unique_ptr<curl_slist, FreeList>;

/// Appends; the list keeps its own copy of the text.
inline void append(List& list, const std::string& text) {
    list.reset(curl_slist_append(list.release(), text.c_str()));
}

/// Sets options and remembers the first failure, so that no refused option goes unseen.
class Options {
public:
    explicit Options(CURL* easy)
        : easy_(easy) {}

    template<class T> Options& set(CURLoption option, T value) {
        const CURLcode status = curl_easy_setopt(easy_, option, value);
        status_ = status_ == CURLE_OK ? status : status_;
        return *this;
    }

    /// A text option; libcurl copies it.
    Options& set(CURLoption option, const std::string& text) { return set(option, text.c_str()); }

    /// Bytes that libcurl copies (CA, certificate, key).
    Options& set_blob(CURLoption option, const std::string& bytes) {
        curl_blob blob{};
        blob.data = const_cast<char*>(bytes.data()); // copied, see flags
        blob.len = bytes.size();
        blob.flags = CURL_BLOB_COPY;
        return set(option, &blob);
    }

    [[nodiscard]] CURLcode status() const { return status_; }

private:
    CURL* easy_;
    CURLcode status_ = CURLE_OK;
};

} // namespace di::net
