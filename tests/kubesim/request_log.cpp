#include "kubesim/request_log.hpp"

#include "kubesim/json.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace di::kubesim {

Outcome RequestLog::open(const std::filesystem::path& path) {
    if (path.empty()) {
        return Done{};
    }
    file_.open(path, std::ios::binary | std::ios::trunc);
    if (!file_) {
        return Error{ErrorKind::config, "cannot write", path.string(), std::strerror(errno), ""};
    }
    return Done{};
}

void RequestLog::add(const Answered& answered) {
    const auto& attributes = answered.target.attributes;
    const auto line = fmt::format(
        R"({{"method":{},"path":{},"query":{},"verb":{},"resource":{},"subresource":{},)"
        R"("status":{},"startMs":{},"endMs":{}}})"
        "\n",
        json_string(answered.request.method),
        json_string(answered.request.path),
        json_string(answered.request.raw_query),
        json_string(attributes.verb),
        json_string(attributes.resource),
        json_string(attributes.subresource),
        answered.status,
        answered.start_ms,
        answered.end_ms);
    const std::lock_guard lock(mutex_);
    if (file_.is_open()) {
        file_ << line << std::flush;
    }
}

} // namespace di::kubesim
