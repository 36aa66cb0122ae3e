// What was asked of the server: one JSON line a request.
#pragma once

#include "base/result.hpp"
#include "kubesim/http.hpp"
#include "kubesim/target.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>

namespace di::kubesim {

struct Answered {
    const Request& request;
    const Target& target;
    int status = 0; ///< 101 for an exec; its end is the end of the stream
    std::int64_t start_ms = 0;
    std::int64_t end_ms = 0; ///< Unix time, as start_ms
};

class RequestLog {
public:
    /// An empty path logs nothing. Errors: the file cannot be written.
    Outcome open(const std::filesystem::path& path);

    /// Appends one line and flushes it.
    void add(const Answered& answered);

private:
    std::mutex mutex_;
    std::ofstream file_;
};

} // namespace di::kubesim
