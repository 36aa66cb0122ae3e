// A finished report, ready to be rendered.
#pragma once

#include "model/component.hpp"
#include "model/finding.hpp"
#include "model/inventory.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::model {

enum class State : std::uint8_t { ready, degraded, inconclusive, blocked, not_applicable };

std::string_view to_string(State state);

/// How strong the proof is, weakest first.
enum class Tier : std::uint8_t { configured, capable, traffic, payload };

std::string_view to_string(Tier tier);

struct Readiness {
    State state = State::inconclusive;
    Tier tier = Tier::configured;
    int exit_code = 3;
};

struct Counts {
    int ok = 0;
    int warn = 0;
    int fail = 0;
    int skipped = 0;
};

struct Verdict {
    Readiness readiness;
    std::string line;              ///< one line for a person
    std::optional<NextStep> prove; ///< what would prove the next tier; set when ready or degraded
};

/// The path that KV cache is expected to take between two pods.
enum class Path : std::uint8_t { rdma_ib, rdma_roce, efa, nvlink_mnnvl, tcp, none, unknown };

std::string_view to_string(Path path); ///< "rdma-ib", ...

/// One prefill x decode pair, or a class of equal ones (then `members` names them).
struct Pair {
    std::string ns;
    std::optional<std::string> graph;
    std::string prefill;
    std::string decode;
    Path path = Path::unknown;
    Status status = Status::skipped;
    std::optional<std::string> reason; ///< link-layer-mismatch, ...; for skipped a SkipReason
    std::string detail;
    std::size_t count = 1;
    std::vector<std::string> prefill_members; ///< filled only when `count` > 1
    std::vector<std::string> decode_members;
    Value facts = Value::object();
};

struct GraphState {
    Graph graph;
    State state = State::inconclusive;
    Tier tier = Tier::configured;
};

struct ClusterInfo {
    std::string context;
    std::string server;
    std::string ns; ///< "" for all namespaces
};

struct Timing {
    std::chrono::milliseconds list{0};
    std::chrono::milliseconds probe{0};
    std::chrono::milliseconds total{0};
    int execs = 0;
};

struct Report {
    std::string tool_version;
    std::optional<ClusterInfo> cluster; ///< absent when no cluster was asked
    std::string place;                  ///< for a person: "namespace dynamo", "this host"
    std::string cut_short;  ///< "interrupted", or another reason why it is partial; else empty
    std::size_t found = 0;  ///< workers, probed or not; filtered ones do not count
    std::size_t probed = 0; ///< completed execs
    std::vector<Worker> workers;
    std::vector<NotProbed> not_probed;
    std::vector<GraphState> graphs;
    std::optional<std::vector<Component>> components; ///< of manifests; absent in a live report
    std::vector<Check> checks;
    std::vector<Pair> pairs;
    Counts counts;
    Verdict verdict;
    Timing timing;
};

} // namespace di::model
