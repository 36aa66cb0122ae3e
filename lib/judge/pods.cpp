#include "judge/pods.hpp"

#include "base/strings.hpp"
#include "judge/hcas.hpp"
#include "judge/pair_side.hpp"
#include "judge/pairs.hpp"
#include "judge/port_facts.hpp"
#include "judge/tools.hpp"
#include "judge/tools/tool_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace di::judge {
namespace {

using model::Capability;
using model::Check;
using model::SkipReason;
using model::Status;
using model::Tool;
using model::Value;

/// One pod on its way to a row.
struct PodWork {
    const CapturedPod& pod;
    model::PodObservation seen;
    UsedPath path;
    std::vector<Check> rows;

    [[nodiscard]] const Check* row(Tool tool) const {
        const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& check) {
            return check.name == to_string(tool);
        });
        return found == rows.end() ? nullptr : &*found;
    }

    [[nodiscard]] bool is(Tool tool, Status status) const {
        const auto* check = row(tool);
        return check != nullptr && check->status == status;
    }

    [[nodiscard]] const Value* fact(Tool tool, std::string_view key) const {
        const auto* check = row(tool);
        return check == nullptr ? nullptr : check->facts.find(key);
    }

    [[nodiscard]] bool is_true(Tool tool, std::string_view key) const {
        const auto* value = fact(tool, key);
        return value != nullptr && *value == Value(true);
    }
};

/// UCX registers GPU memory on an HCA that it opened: nothing speaks louder for GPUDirect.
bool ucx_reaches_gpus(const PodWork& work) {
    return work.is_true(Tool::ucx_devices, "gpudirect");
}

bool has_no_nodes(const PodWork& work) {
    return work.is(Tool::ib_devices, Status::fail);
}

bool opens_no_hca(const PodWork& work) {
    return work.is(Tool::ibv_devinfo_list, Status::fail);
}

/// Stronger evidence, and the rows that it overrules where they say something else.
struct Override {
    Tool stronger;
    bool (*holds)(const PodWork& work);
    Tool weaker;
    Status upheld; ///< a row of this status agrees
};

constexpr std::array k_overrides = {
    Override{Tool::ucx_devices, ucx_reaches_gpus, Tool::gpudirect_modules, Status::ok},
    Override{Tool::ib_devices, has_no_nodes, Tool::ib_link, Status::fail},
    Override{Tool::ib_devices, has_no_nodes, Tool::ib_sysfs, Status::fail},
    Override{Tool::ibv_devinfo_list, opens_no_hca, Tool::ib_link, Status::fail},
    Override{Tool::ibv_devinfo_list, opens_no_hca, Tool::ib_sysfs, Status::fail},
};

void overrule(PodWork& work) {
    for (const auto& entry : k_overrides) {
        if (!entry.holds(work)) {
            continue;
        }
        const auto& by = work.row(entry.stronger)->code;
        for (auto& check : work.rows) {
            if (check.name == to_string(entry.weaker) && check.status != entry.upheld &&
                !check.overridden_by) {
                check.overridden_by = by;
            }
        }
    }
}

/// Where KV does not go through RDMA devices, or not through UCX, rows about them are advice.
bool is_beside_the_path(Capability capability, Tool tool, PathKind kind) {
    if (kind == PathKind::nvlink) {
        return capability == Capability::devices || capability == Capability::link ||
               capability == Capability::gpudirect || capability == Capability::memlock;
    }
    return (kind == PathKind::libfabric && tool == Tool::ucx_devices) ||
           (capability == Capability::nvlink);
}

/// A GPU that cannot be used stands in the way of everything.
bool is_advice(const Check& check, Tool tool, PathKind kind) {
    const auto capability = rule_of(tool).capability;
    const bool gpus_gone =
        check.status == Status::fail &&
        (tool == Tool::gpu_topology || tool == Tool::nvlink_status || tool == Tool::gpu_fabric);
    return !gpus_gone &&
           (capability == Capability::none || is_beside_the_path(capability, tool, kind));
}

bool counts(const Check& check) {
    return !check.advisory && !check.overridden_by;
}

/// Capabilities of which no row could tell, named by their probes.
std::vector<std::string> not_seen(const PodWork& work) {
    std::set<Capability> decided;
    for (const auto& check : work.rows) {
        if (check.status != Status::skipped || check.reason == SkipReason::not_applicable) {
            decided.insert(check.capability);
        }
    }
    if (work.is_true(Tool::ucx_devices, "gpudirect") || work.is(Tool::ucx_devices, Status::warn)) {
        decided.insert(Capability::devices); // UCX lists what it opened, on ports that are Active
        decided.insert(Capability::link);
    }
    std::vector<std::string> names;
    for (const auto& check : work.rows) {
        if (counts(check) && check.status == Status::skipped &&
            decided.count(check.capability) == 0) {
            names.push_back(check.name);
        }
    }
    return names;
}

const Check* worst_row(const PodWork& work, Status status) {
    const auto found = std::find_if(work.rows.begin(), work.rows.end(), [&](const auto& check) {
        return counts(check) && check.status == status;
    });
    return found == work.rows.end() ? nullptr : &*found;
}

std::string cause_text(const Check& check) {
    return fmt::format("{}: {}", check.code, check.detail);
}

Finding roll_up(const PodWork& work) {
    if (const auto* failed = worst_row(work, Status::fail)) {
        return fail(cause_text(*failed));
    }
    const auto* warned = worst_row(work, Status::warn);
    const auto open = not_seen(work);
    const bool any_good = worst_row(work, Status::ok) != nullptr;
    if (warned != nullptr) {
        return warn(cause_text(*warned));
    }
    if (!any_good) {
        return skipped(SkipReason::unreadable,
                       open.empty() ? "no output of this pod decides anything"
                                    : "nothing could be read: " + join(open, ", "));
    }
    if (!open.empty()) {
        return warn("nothing stands in the way, but not seen: " + join(open, ", "));
    }
    return ok("nothing stands in the way of the fast path");
}

// ---- facts of the roll-up ----

std::optional<std::size_t> active_ports(const PodWork& work, bool all) {
    const auto& source = port_source(work.seen);
    if (!source) {
        return std::nullopt;
    }
    auto ports = select_ports(*source, work.seen, work.path);
    if (all) {
        ports.used.insert(ports.used.end(), ports.ignored.begin(), ports.ignored.end());
    }
    return active_of(ports.used).size();
}

std::optional<std::size_t> openable(const PodWork& work) {
    if (!work.seen.verbs_nodes) {
        return std::nullopt;
    }
    const auto& nodes = *work.seen.verbs_nodes;
    return std::count_if(
        nodes.begin(), nodes.end(), [](const auto& node) { return node.openable; });
}

Value gpudirect_value(const PodWork& work) {
    const auto available = [](Value yes, Value via) {
        return Value::object().set("available", std::move(yes)).set("via", std::move(via));
    };
    if (ucx_reaches_gpus(work)) {
        return available(true, work.is_true(Tool::ucx_devices, "dmabuf") ? "dmabuf" : "peermem");
    }
    if (work.is(Tool::gpudirect_modules, Status::ok)) {
        return available(true, "peermem");
    }
    const bool proven =
        work.is(Tool::ucx_devices, Status::warn) || work.is(Tool::ucx_devices, Status::fail);
    return available(proven ? Value(false) : Value(), nullptr);
}

/// Why no RDMA leaves the pod; empty while nothing is proven.
std::string rdma_blocker(const PodWork& work) {
    if (has_no_nodes(work)) {
        return "no device nodes";
    }
    if (opens_no_hca(work)) {
        return "no HCA can be opened";
    }
    if (active_ports(work, false) == 0U) {
        return "no Active port";
    }
    const auto* ports = work.fact(Tool::ucx_devices, "ib");
    return ports != nullptr && *ports == Value(Value::Array{}) ? "no RDMA transport in UCX" : "";
}

Value or_null(std::optional<std::size_t> number) {
    return number ? Value(*number) : Value();
}

Value nvlink_least(const PodWork& work) {
    const auto* nvlink = work.fact(Tool::gpu_topology, "nvlink");
    const auto* least = nvlink == nullptr ? nullptr : nvlink->find("min");
    return least == nullptr ? Value() : *least;
}

Value memlock_value(const PodWork& work) {
    const auto* kib = work.fact(Tool::memlock, "kib");
    return work.is_true(Tool::memlock, "unlimited") ? Value("unlimited")
           : kib == nullptr                         ? Value()
                                                    : *kib;
}

Finding with_pod_facts(const PodWork& work, Finding finding) {
    const auto blocker = rdma_blocker(work);
    const bool proven = active_ports(work, false).value_or(0) > 0 && openable(work).value_or(0) > 0;
    const auto* gdrcopy = work.fact(Tool::gdrcopy, "present");
    std::vector<std::string> excerpt;
    for (const auto& check : work.rows) {
        excerpt.push_back(fmt::format("{} {}", check.name, to_string(check.status)));
    }
    return std::move(finding)
        .with("rdma_usable",
              !blocker.empty() ? Value(false)
              : proven         ? Value(true)
                               : Value())
        .with("cause", blocker.empty() ? Value() : Value(blocker))
        .with("hca_openable", or_null(openable(work)))
        .with("host_ports_active", or_null(active_ports(work, true)))
        .with("active_ports", or_null(active_ports(work, false)))
        .with("gpudirect", gpudirect_value(work))
        .with("nvlink_min", nvlink_least(work))
        .with("gdrcopy", gdrcopy == nullptr ? Value() : *gdrcopy)
        .with("memlock", memlock_value(work))
        .because("the pod's rows", join(excerpt, ", "));
}

Check pod_row(const PodWork& work, const model::Subject& subject) {
    auto finding = with_pod_facts(work, roll_up(work));
    Check check;
    check.name = "pod";
    check.code = "POD-010";
    check.status = finding.status;
    check.reason = finding.reason;
    check.subject = subject;
    check.detail = std::move(finding.detail);
    check.facts = std::move(finding.facts);
    check.evidence = std::move(finding.evidence);
    if (check.status != Status::ok) {
        const auto* decided = worst_row(work, check.status);
        check.next = decided != nullptr && decided->next
                         ? decided->next
                         : model::NextStep{{"kubectl", "describe", "pod", subject.name},
                                           "see why its tools showed nothing"};
    }
    return check;
}

PodWork work_on(const CapturedPod& pod, const model::Subject& subject) {
    PodWork work{pod, observation_of(pod), {}, {}};
    work.path = used_path(pod.worker, work.seen, "");
    for (const auto& [tool, reading] : pod.readings) {
        auto check = judge_tool(tool, reading, subject);
        check.advisory = is_advice(check, tool, work.path.kind);
        check.capability = check.advisory ? Capability::none : rule_of(tool).capability;
        work.rows.push_back(std::move(check));
    }
    overrule(work);
    return work;
}

} // namespace

Judgement judge_pods(const std::vector<CapturedPod>& pods) {
    const Context context;
    Judgement result;
    std::vector<PairInput> sides;
    for (const auto& pod : pods) {
        const model::Subject subject{model::SubjectKind::pod, pod.worker.ns, pod.worker.pod};
        auto work = work_on(pod, subject);
        const PodView view{pod.worker, work.seen, work.path, context};
        sides.push_back({&pod.worker, pair_side(view, work.rows)});
        result.checks.push_back(pod_row(work, subject));
        std::move(work.rows.begin(), work.rows.end(), std::back_inserter(result.checks));
    }
    auto pairs = judge_pairs(sides, context);
    std::move(pairs.checks.begin(), pairs.checks.end(), std::back_inserter(result.checks));
    result.pairs = std::move(pairs.pairs);
    return result;
}

} // namespace di::judge
