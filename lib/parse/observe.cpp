#include "parse/observe.hpp"

#include "base/strings.hpp"
#include "model/env_names.hpp"
#include "parse/engine_process.hpp"
#include "parse/environment.hpp"
#include "parse/fabric.hpp"
#include "parse/host_facts.hpp"
#include "parse/ibstat.hpp"
#include "parse/ibv_devinfo.hpp"
#include "parse/nixl_section.hpp"
#include "parse/nvlink.hpp"
#include "parse/sections.hpp"
#include "parse/sysfs.hpp"
#include "parse/topology.hpp"
#include "parse/ucx_info.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::parse {
namespace {

using model::ExecOutcome;
using model::PodObservation;
using model::RawResult;
using model::Seen;
using model::SkipReason;
using model::Unseen;

/// Exit codes of the script's own `tool` function.
constexpr int k_no_time_left = 124;
constexpr int k_no_timeout_tool = 125;

/// Of the script's shell: 128 + SIGKILL, 128 + SIGTERM.
constexpr int k_killed = 137;
constexpr int k_terminated = 143;

/// Why the exec as a whole has no exit code that could be trusted.
std::optional<Unseen> why_incomplete(const RawResult& result, const Sections& sections) {
    switch (result.outcome) {
    case ExecOutcome::refused:
        return Unseen{result.refusal, result.detail};
    case ExecOutcome::timed_out:
    case ExecOutcome::cancelled:
        return Unseen{SkipReason::timed_out, result.detail};
    case ExecOutcome::truncated:
        return Unseen{SkipReason::truncated, result.detail};
    case ExecOutcome::completed:
        break;
    }
    if (sections.complete) {
        return std::nullopt;
    }
    if (result.exit_code == k_killed || result.exit_code == k_terminated) {
        return Unseen{
            SkipReason::truncated,
            fmt::format("the probe was killed (exit code {}): the container ended, or ran "
                        "out of memory",
                        result.exit_code)};
    }
    if (sections.closed.empty() && result.exit_code != 0) {
        const ToolOutput output{result.out, result.err, result.exit_code};
        return why_silent(output, "sh")
            .value_or(Unseen{SkipReason::unreadable,
                             fmt::format("sh ended with exit code {}: {}",
                                         result.exit_code,
                                         excerpt(trim(result.err), 120))});
    }
    return Unseen{SkipReason::truncated, "the probe's output ends before its end marker"};
}

class Observer {
public:
    Observer(const model::Worker& worker, const RawResult& result, std::string_view nonce)
        : worker_(worker),
          sections_(read_sections(result.out, nonce)),
          incomplete_(why_incomplete(result, sections_)) {
        if (result.outcome == ExecOutcome::refused) {
            sections_ = {};
        }
        seen_.route = result.route;
        if (incomplete_) {
            seen_.exec = *incomplete_;
        } else {
            seen_.exec = result.exit_code;
        }
    }

    PodObservation observe() {
        read_host();
        read_rdma();
        read_tools();
        read_engine();
        choose_environment();
        return std::move(seen_);
    }

private:
    /// Why a section that should be there is not.
    [[nodiscard]] Unseen missing(std::string_view name) const {
        const auto& tangled = sections_.tangled;
        if (std::find(tangled.begin(), tangled.end(), name) != tangled.end()) {
            return {SkipReason::unreadable,
                    fmt::format("the markers around '{}' contradict each other", name)};
        }
        return incomplete_.value_or(Unseen{
            SkipReason::unreadable, fmt::format("the probe's output lacks its part '{}'", name)});
    }

    /// Gives the text of a whole section to a parser.
    template<class T, class Parse> void read(Seen<T>& fact, std::string_view name, Parse parse) {
        const auto* const section = sections_.find(name);
        if (section == nullptr) {
            fact = missing(name);
        } else if (!section->whole()) {
            fact = Unseen{SkipReason::truncated,
                          fmt::format("the part '{}' of the probe's output is cut", name)};
        } else {
            fact = parse(section->text);
        }
    }

    void read_host() {
        read(seen_.kernel, "host", parse_kernel);
        read(seen_.driver, "host", parse_driver);
        read(seen_.peer_memory, "host", parse_peer_memory);
        read(seen_.netdevs, "net", parse_netdevs);
    }

    void read_rdma() {
        read(seen_.verbs_nodes, "nodes", parse_verbs_nodes);
        read(seen_.gdrdrv, "nodes", parse_gdrdrv);
        read(seen_.imex_channels, "nodes", parse_imex_channels);
        read(seen_.sysfs, "rdma", [](std::string_view text) -> decltype(seen_.sysfs) {
            switch (sign_of(text, "/sys/class/infiniband")) {
            case Sign::there:
                break;
            case Sign::absent:
                return std::vector<model::RdmaDevice>{};
            case Sign::closed:
                return Unseen{SkipReason::no_permission, "/sys/class/infiniband is closed"};
            case Sign::unseen:
                return Unseen{SkipReason::unreadable, "/sys/class cannot be searched"};
            }
            auto devices = parse_sysfs({text, {}, 0});
            return devices ? devices : std::vector<model::RdmaDevice>{}; // the class is empty
        });
    }

    template<class T>
    void read_tool(Seen<T>& fact,
                   std::string_view name,
                   std::string_view tool,
                   Seen<T> (*parse)(const ToolOutput&)) {
        const auto* const section = sections_.find(name);
        if (section != nullptr && section->code == k_no_timeout_tool) {
            fact = Unseen{SkipReason::tool_missing,
                          fmt::format("{} was not run: the image has no timeout command", tool)};
            return;
        }
        if (section != nullptr && section->code == k_no_time_left) {
            fact = Unseen{SkipReason::timed_out,
                          fmt::format("{} was not run: the tools before it took too long", tool)};
            return;
        }
        read(fact, name, [&](std::string_view text) -> Seen<T> {
            const ToolOutput output{text, {}, *section->code};
            if (auto silent = why_silent(output, tool)) {
                return *silent;
            }
            return parse(output);
        });
    }

    void read_tools() {
        read_tool(seen_.ibstat, "ibstat", "ibstat", parse_ibstat);
        read_tool(seen_.ibv_devinfo, "ibv_devinfo", "ibv_devinfo", parse_ibv_devinfo);
        read_tool(seen_.ucx, "ucx_info", "ucx_info", parse_ucx_version);
        read_tool(seen_.topology, "topo", "nvidia-smi", parse_topology);
        read_tool(seen_.nvlink, "nvlink", "nvidia-smi", parse_nvlink_status);
        read_tool(seen_.fabric, "fabric", "nvidia-smi", parse_gpu_fabric);
    }

    void read_engine() {
        const auto* const engine = sections_.find("engine");
        const auto* const environ = sections_.find("environ");
        seen_.engine = engine == nullptr ? missing("engine") : parse_engine(*engine);
        if (auto* const process = seen_.engine.get()) {
            process->environment =
                environ == nullptr ? missing("environ") : parse_environ(*environ);
            const auto* const ranks = sections_.find("ranks");
            if (ranks != nullptr && process->environment) {
                process->variants = parse_variants(*ranks, *process->environment);
            }
        }
        read(seen_.exec_environment, "session", [](std::string_view text) {
            return parse_env({text, {}, 0});
        });
        read(seen_.nixl_plugins, "nixl", parse_nixl_directories);
        read(seen_.nixl_version, "nixl", parse_nixl_version);
    }

    void choose_environment() {
        const auto* const engine = seen_.engine.get();
        if (engine != nullptr && engine->environment) {
            seen_.environment = environment(model::EnvSource::engine, *engine->environment);
        } else if (seen_.exec_environment) {
            seen_.environment = environment(model::EnvSource::exec, *seen_.exec_environment);
        } else if (incomplete_) {
            seen_.environment = *incomplete_;
        } else {
            seen_.environment = spec_environment();
        }
    }

    [[nodiscard]] Seen<model::Environment> spec_environment() const {
        const auto& unresolved = worker_.spec.env_unresolved;
        const auto hidden =
            std::find_if(unresolved.begin(), unresolved.end(), model::may_leave_pod);
        if (hidden != unresolved.end()) {
            return Unseen{SkipReason::unreadable,
                          fmt::format("{} comes by reference, and its value was not seen",
                                      excerpt(*hidden, 60))};
        }
        return environment(model::EnvSource::spec, only_allowed(worker_.spec.env));
    }

    const model::Worker& worker_;
    Sections sections_;
    std::optional<Unseen> incomplete_; ///< why there may be sections missing
    PodObservation seen_;
};

} // namespace

PodObservation
observe(const model::Worker& worker, const RawResult& result, std::string_view nonce) {
    return Observer(worker, result, nonce).observe();
}

} // namespace di::parse
