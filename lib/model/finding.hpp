// A Check: one row of a report. Judges make them, the verdict weighs them, renderers show them.
#pragma once

#include "model/seen.hpp"
#include "model/value.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::model {

enum class Status : std::uint8_t { ok, warn, fail, skipped };

std::string_view to_string(Status status);

/// What a row is about.
enum class SubjectKind : std::uint8_t { pod, node, pair, graph, ns, component, file };

std::string_view to_string(SubjectKind kind); ///< "pod", ..., "namespace", ...

struct Subject {
    SubjectKind kind = SubjectKind::pod;
    std::string ns;
    std::string name;       ///< for a pair "prefill-pod -> decode-pod"
    std::string graph = {}; ///< of a component: tells equal names of several graphs apart
    friend bool operator==(const Subject&, const Subject&) = default;
};

/// The capability that a deciding row speaks for. A pod is ready only when each capability that its
/// path needs was decided by some row; a skipped row matters only while nothing else decided.
enum class Capability : std::uint8_t {
    none,      ///< says nothing about the path (advisory rows)
    coverage,  ///< every worker of the path was seen
    devices,   ///< the container can open a fabric device
    link,      ///< a usable port
    address,   ///< a usable GID or LID
    gpudirect, ///< the NIC reaches GPU memory
    memlock,   ///< memory can be registered
    transport, ///< the settings of UCX, NIXL and the engine allow the fast path
    library,   ///< the engine has the transfer library and its plugin loaded
    nvlink,    ///< multi-node NVLink, where the path rests on it
    pair,      ///< the two roles match
};

std::string_view to_string(Capability capability);

struct Evidence {
    std::string source;  ///< where it was read: a probe name, a file, an API field
    std::string excerpt; ///< a short piece of it, raw (renderers escape)
};

/// What to type next. `argv` names real objects and can be pasted as it is; `why` says what for.
struct NextStep {
    std::vector<std::string> argv;
    std::string why;
};

struct Check {
    std::string name; ///< probe or question: "ib-sysfs", "env", "pair"
    std::string code; ///< stable rule code: "IB-002"
    Status status = Status::skipped;
    std::optional<SkipReason> reason; ///< set when skipped
    Subject subject;
    std::string detail; ///< one line for a person
    Value facts = Value::object();
    std::vector<Evidence> evidence;
    std::optional<NextStep> next; ///< set unless ok
    bool advisory = false;        ///< shown and counted, but moves no verdict
    Capability capability = Capability::none;
    std::optional<std::string> overridden_by; ///< code of the stronger row; then it moves nothing
    std::optional<std::string> waived;        ///< why the user waived it; then it moves nothing
};

} // namespace di::model
