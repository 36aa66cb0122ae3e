#include "parse/engine_process.hpp"

#include "base/strings.hpp"
#include "parse/environment.hpp"
#include "parse/memlock.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

namespace di::parse {
namespace {

using model::EngineProcess;
using model::EnvMap;
using model::Seen;
using model::SkipReason;
using model::Unseen;

constexpr int k_no_process = 1; ///< exit code of the section

/// Libraries that move KV data or open devices for it; file names begin so.
constexpr std::array<std::string_view, 11> k_transfer_libraries = {
    "libucp",
    "libuct",
    "libnixl",
    "libplugin_",
    "libfabric",
    "libibverbs",
    "libmlx5",
    "libefa",
    "libcuda.so",
    "libgdrapi",
    "libtransfer_engine",
};

Unseen cut_section() {
    return {SkipReason::truncated, "the probe's output about the engine process is cut"};
}

Unseen denied(std::string_view what) {
    return {SkipReason::no_permission,
            std::string(what) + " of the engine process cannot be read by the probing user"};
}

/// The path in a line of maps, which may be the path alone.
std::optional<std::string_view> transfer_library(std::string_view line) {
    constexpr std::string_view k_deleted = " (deleted)";
    const auto slash = line.find('/');
    if (slash == std::string_view::npos) {
        return std::nullopt;
    }
    auto path = line.substr(slash);
    if (path.ends_with(k_deleted)) {
        path.remove_suffix(k_deleted.size());
    }
    const auto file = path.substr(path.rfind('/') + 1);
    const bool known = std::any_of(k_transfer_libraries.begin(),
                                   k_transfer_libraries.end(),
                                   [&](auto start) { return file.starts_with(start); });
    return known ? std::optional(path) : std::nullopt;
}

std::optional<std::uint64_t> parse_mask(std::string_view hex) {
    std::uint64_t mask = 0;
    const auto [end, status] = std::from_chars(hex.data(), hex.data() + hex.size(), mask, 16);
    return !hex.empty() && status == std::errc{} && end == hex.data() + hex.size()
               ? std::optional(mask)
               : std::nullopt;
}

class EngineReader {
public:
    void read(std::string_view line) {
        if (line == "maps:") {
            maps_readable_ = true;
        } else if (line == "fds:") {
            fds_readable_ = true;
        } else if (line.starts_with("/dev/")) {
            add(devices_, line);
        } else if (line.starts_with("Max locked memory")) {
            engine_.memlock = parse_limits_memlock({line, {}, 0});
        } else if (const auto library = maps_readable_ ? transfer_library(line) : std::nullopt) {
            add(libraries_, *library);
        } else {
            read_status(words(line));
        }
    }

    EngineProcess finish(bool whole) {
        const auto readable = [&](bool seen, std::string_view what) {
            return whole && !seen ? denied(what) : cut_section();
        };
        engine_.libraries = readable(maps_readable_, "the maps");
        if (whole && maps_readable_) {
            std::vector<model::MappedLibrary> libraries;
            for (auto& path : libraries_) {
                libraries.push_back({std::move(path)});
            }
            engine_.libraries = std::move(libraries);
        }
        engine_.open_devices = readable(fds_readable_, "the descriptors");
        if (whole && fds_readable_) {
            engine_.open_devices = std::move(devices_);
        }
        return std::move(engine_);
    }

    [[nodiscard]] bool found() const { return engine_.pid > 0; }

private:
    static void add(std::vector<std::string>& list, std::string_view text) {
        if (std::find(list.begin(), list.end(), text) == list.end()) {
            list.emplace_back(text);
        }
    }

    /// "PID /proc/A /proc/B" at the start, "Uid: real effective saved fs", "CapEff: hex".
    void read_status(const std::vector<std::string_view>& fields) {
        if (fields.empty()) {
            return;
        }
        if (fields[0] == "CapEff:" && fields.size() > 1) {
            engine_.cap_eff = parse_mask(fields[1]);
        } else if (fields[0] == "Uid:" && fields.size() > 2) {
            const auto uid = parse_unsigned(fields[2]);
            engine_.uid = uid && *uid <= UINT32_MAX ? std::optional(static_cast<unsigned>(*uid))
                                                    : std::nullopt;
        } else if (const auto pid = parse_unsigned(fields[0]); pid && !found()) {
            constexpr std::uint64_t k_last_pid = 1U << 22U; // Linux: PID_MAX_LIMIT
            engine_.pid = static_cast<int>(std::min(*pid, k_last_pid));
            engine_.processes = std::max(1, static_cast<int>(fields.size()) - 1);
        }
    }

    EngineProcess engine_;
    bool maps_readable_ = false;
    bool fds_readable_ = false;
    std::vector<std::string> libraries_;
    std::vector<std::string> devices_;
};

} // namespace

Seen<EngineProcess> parse_engine(const Section& engine) {
    EngineReader reader;
    for (const auto line : lines(engine.text)) {
        reader.read(line);
    }
    if (reader.found()) {
        auto process = reader.finish(engine.whole());
        if (!process.memlock && process.memlock.unseen()->reason == SkipReason::not_requested) {
            process.memlock = engine.whole() ? denied("the limits") : cut_section();
        }
        return process;
    }
    if (engine.code == k_no_process) {
        return Unseen{SkipReason::not_running, "no engine process was found"};
    }
    return cut_section();
}

std::vector<model::Environment> parse_variants(const Section& ranks, const EnvMap& own) {
    std::set<std::pair<std::string, std::string>> others;
    for (const auto line : lines(ranks.text)) {
        const auto one = parse_env({line, {}, 0});
        for (const auto& [name, value] : one ? *one : EnvMap{}) {
            const auto known = own.find(name);
            if (known == own.end() || known->second != value) {
                others.emplace(name, value);
            }
        }
    }
    constexpr std::size_t k_most = 64; // a hostile pod may set any number of names
    std::vector<model::Environment> variants;
    for (const auto& [name, value] : others) {
        if (variants.size() < k_most) {
            auto values = own;
            values[name] = value;
            variants.push_back(environment(model::EnvSource::engine, std::move(values)));
        }
    }
    return variants;
}

Seen<EnvMap> parse_environ(const Section& environ) {
    constexpr int k_no_tr = 127;
    constexpr int k_overwritten = 61;
    if (environ.capped || !environ.code) {
        return Unseen{SkipReason::truncated, "the engine's environment is cut"};
    }
    if (*environ.code == 0) {
        return parse_env({environ.text, {}, 0});
    }
    if (*environ.code == k_no_tr) {
        return Unseen{SkipReason::tool_missing,
                      "the image has no tr to split the engine's environment with"};
    }
    if (*environ.code == k_overwritten) {
        return Unseen{SkipReason::unreadable,
                      "the engine's process title has overwritten its environment"};
    }
    return denied("the environment");
}

} // namespace di::parse
