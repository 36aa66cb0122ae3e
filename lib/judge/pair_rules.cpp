// What can stand between two workers that look well alone.
#include "base/strings.hpp"
#include "judge/catalogue/pair.hpp"
#include "judge/partitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace di::judge {
namespace {

using model::LinkLayer;
using model::Path;
using model::Status;
using model::Value;

template<class T> std::set<T> common(const std::set<T>& a, const std::set<T>& b) {
    std::set<T> both;
    std::set_intersection(
        a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.begin()));
    return both;
}

/// Nothing in common, although both show something.
template<class T> bool disjoint(const std::set<T>& a, const std::set<T>& b) {
    return !a.empty() && !b.empty() && common(a, b).empty();
}

/// One value as itself, several as a list.
Value as_value(const std::vector<std::string>& texts) {
    return texts.size() == 1 ? Value(texts.front()) : Value(texts);
}

template<class T, class Text> std::vector<std::string> texts(const std::set<T>& set, Text text) {
    std::vector<std::string> result;
    std::transform(set.begin(), set.end(), std::back_inserter(result), text);
    return result;
}

PairFinding found(Status status, std::string detail, Value prefill, Value decode) {
    PairFinding finding;
    finding.status = status;
    finding.detail = std::move(detail);
    finding.facts.set("prefill", std::move(prefill)).set("decode", std::move(decode));
    return finding;
}

PairFinding differ(Status status,
                   std::string_view what,
                   const std::vector<std::string>& prefill,
                   const std::vector<std::string>& decode) {
    return found(
        status,
        fmt::format("{}: prefill {}, decode {}", what, join(prefill, ","), join(decode, ",")),
        as_value(prefill),
        as_value(decode));
}

bool is_ucx(PathKind kind) {
    return kind == PathKind::ucx || kind == PathKind::nvlink;
}

bool both_by(const PairView& pair, PathKind kind) {
    return pair.prefill.kind == kind && pair.decode.kind == kind;
}

bool rests_on_nvlink(const PairView& pair) {
    return pair.prefill.kind == PathKind::nvlink || pair.decode.kind == PathKind::nvlink;
}

/// Both sides have usable ports, so the way between them is a network.
bool by_network(const PairView& pair) {
    return !both_by(pair, PathKind::nvlink) && !pair.prefill.layers.empty() &&
           !pair.decode.layers.empty();
}

std::vector<std::string> tls_text(const PairSide& side) {
    return side.tls.empty() ? std::vector<std::string>{"all"} : side.tls;
}

PairFinding tls_finding(const PairView& pair, std::string_view what) {
    const auto prefill = tls_text(pair.prefill);
    const auto decode = tls_text(pair.decode);
    return found(
        Status::fail,
        fmt::format("{}: prefill {}, decode {}", what, join(prefill, ","), join(decode, ",")),
        prefill,
        decode);
}

PairFinding unseen(model::SkipReason reason, std::string detail) {
    PairFinding finding;
    finding.status = Status::skipped;
    finding.skip = reason;
    finding.detail = std::move(detail);
    return finding;
}

/// Partition keys as the port's table has them.
std::vector<std::string> keys_of(const PairSide& side) {
    std::vector<std::string> keys;
    for (const auto partition : side.pkeys) {
        keys.push_back(pkey_text(static_cast<std::uint16_t>(partition | k_full_member)));
    }
    for (const auto partition : side.limited) {
        keys.push_back(pkey_text(partition));
    }
    return keys;
}

bool rdma_in_common(const PairView& pair) {
    const auto both = common(pair.prefill.networks, pair.decode.networks);
    return both.size() > both.count("tcp");
}

} // namespace

namespace pairing {

Answer link_layer_mismatch(const PairView& pair) {
    if (!by_network(pair) || !disjoint(pair.prefill.layers, pair.decode.layers)) {
        return std::nullopt;
    }
    const auto text = [](LinkLayer layer) { return std::string(to_string(layer)); };
    return differ(Status::fail,
                  "no common link layer",
                  texts(pair.prefill.layers, text),
                  texts(pair.decode.layers, text));
}

Answer subnet_prefix_mismatch(const PairView& pair) {
    if (!by_network(pair) || !disjoint(pair.prefill.prefixes, pair.decode.prefixes)) {
        return std::nullopt;
    }
    const bool routed = pair.prefill.routed && pair.decode.routed;
    const auto text = [](const std::string& prefix) { return prefix; };
    return differ(routed ? Status::warn : Status::fail,
                  routed ? "different InfiniBand subnets, reachable only through a router"
                         : "different InfiniBand subnets",
                  texts(pair.prefill.prefixes, text),
                  texts(pair.decode.prefixes, text));
}

Answer pkey_mismatch(const PairView& pair) {
    const auto shown = [](const PairSide& side) {
        return !side.pkeys.empty() || !side.limited.empty();
    };
    if (!by_network(pair) || !shown(pair.prefill) || !shown(pair.decode) ||
        !common(pair.prefill.pkeys, pair.decode.pkeys).empty()) {
        return std::nullopt;
    }
    const bool half = !common(pair.prefill.pkeys, pair.decode.limited).empty() ||
                      !common(pair.prefill.limited, pair.decode.pkeys).empty();
    return differ(half ? Status::warn : Status::fail,
                  half ? "one side is a limited member of the common partition"
                       : "no common partition with a full member",
                  keys_of(pair.prefill),
                  keys_of(pair.decode));
}

Answer roce_version_mismatch(const PairView& pair) {
    if (!by_network(pair) || !disjoint(pair.prefill.gid_types, pair.decode.gid_types)) {
        return std::nullopt;
    }
    const auto text = [](model::GidType type) {
        return std::string(type == model::GidType::roce_v2 ? "RoCE v2" : "RoCE v1");
    };
    return differ(Status::fail,
                  "different RoCE versions",
                  texts(pair.prefill.gid_types, text),
                  texts(pair.decode.gid_types, text));
}

Answer ucx_tls_disjoint(const PairView& pair) {
    const bool ucx = is_ucx(pair.prefill.kind) && is_ucx(pair.decode.kind);
    if (!ucx || both_by(pair, PathKind::nvlink) || rdma_in_common(pair)) {
        return std::nullopt;
    }
    const auto both = common(pair.prefill.networks, pair.decode.networks);
    const bool both_rdma = allows_rdma(pair.prefill) && allows_rdma(pair.decode);
    if (!both.empty() && !both_rdma) {
        return std::nullopt; // TCP is left: that is the next rule's
    }
    return tls_finding(pair,
                       both.empty() ? "UCX_TLS leaves no common transport"
                                    : "UCX_TLS leaves no common RDMA transport");
}

Answer tcp_only(const PairView& pair) {
    const bool ucx = is_ucx(pair.prefill.kind) && is_ucx(pair.decode.kind);
    if (!ucx || both_by(pair, PathKind::nvlink) || rdma_in_common(pair)) {
        return std::nullopt;
    }
    return tls_finding(pair, "UCX_TLS leaves only TCP in common");
}

Answer clique_mismatch(const PairView& pair) {
    if (!disjoint(pair.prefill.cliques, pair.decode.cliques)) {
        return std::nullopt;
    }
    const auto text = [](const std::string& clique) { return clique; };
    const auto prefill = texts(pair.prefill.cliques, text);
    const auto decode = texts(pair.decode.cliques, text);
    if (rests_on_nvlink(pair)) {
        return differ(Status::fail, "different NVLink cliques", prefill, decode);
    }
    const bool tries = pair.prefill.cuda_ipc && pair.decode.cuda_ipc &&
                       pair.prefill.mnnvl != Switch::no && pair.decode.mnnvl != Switch::no;
    if (!tries || !is_ucx(pair.prefill.kind)) {
        return std::nullopt;
    }
    return differ(Status::warn,
                  "different NVLink cliques, and UCX may try NVLink across them",
                  prefill,
                  decode);
}

Answer cuda_ipc_missing(const PairView& pair) {
    if (!rests_on_nvlink(pair) || (pair.prefill.cuda_ipc && pair.decode.cuda_ipc)) {
        return std::nullopt;
    }
    return tls_finding(pair, "cuda_ipc is missing on one side of an NVLink pair");
}

Answer worker_blocked(const PairView& pair) {
    if (pair.prefill.blocked.empty() && pair.decode.blocked.empty()) {
        return std::nullopt;
    }
    // The worker's own row says the rest.
    const auto code = [](const std::string& text) { return text.substr(0, text.find(':')); };
    const auto prefill = code(pair.prefill.blocked);
    const auto decode = code(pair.decode.blocked);
    const auto detail = prefill.empty()  ? "decode fails " + decode
                        : decode.empty() ? "prefill fails " + prefill
                        : prefill == decode
                            ? "both workers fail " + prefill
                            : fmt::format("prefill fails {}, decode {}", prefill, decode);
    return found(Status::fail, detail, pair.prefill.blocked, pair.decode.blocked);
}

Answer worker_unseen(const PairView& pair) {
    if (pair.prefill.kind == PathKind::none || pair.decode.kind == PathKind::none) {
        return unseen(model::SkipReason::not_applicable, "one of the two moves no KV");
    }
    const bool prefill = pair.prefill.unseen.has_value();
    const auto& side = prefill ? pair.prefill : pair.decode;
    if (!side.unseen) {
        return open_path(pair) != Path::unknown
                   ? Answer()
                   : unseen(model::SkipReason::unreadable, "no way between the two was seen");
    }
    auto finding =
        found(Status::skipped,
              fmt::format("{} was not seen: {}", prefill ? "prefill" : "decode", side.unseen_what),
              pair.prefill.unseen_what,
              pair.decode.unseen_what);
    finding.skip = side.unseen;
    return finding;
}

Answer rate_mismatch(const PairView& pair) {
    const auto& [prefill, decode] = std::pair(pair.prefill.gbps, pair.decode.gbps);
    if (!by_network(pair) || pair.prefill.efa || prefill <= 0 || decode <= 0) {
        return std::nullopt;
    }
    constexpr double k_tolerance = 1.01;
    const auto equal = [](double a, double b) {
        return a < b * k_tolerance && b < a * k_tolerance;
    };
    const bool gpus_known = pair.prefill.gpus > 0 && pair.decode.gpus > 0;
    if (equal(prefill, decode) ||
        (gpus_known && equal(prefill / pair.prefill.gpus, decode / pair.decode.gpus))) {
        return std::nullopt;
    }
    auto finding = found(Status::warn,
                         fmt::format("prefill has {:g} Gb/s, decode {:g} Gb/s", prefill, decode),
                         prefill,
                         decode);
    const auto number = [](double value) {
        const auto whole = static_cast<std::int64_t>(value);
        return static_cast<double>(whole) == value ? Value(whole) : Value(value);
    };
    finding.facts = Value::object();
    finding.facts.set("prefill_gbps", number(prefill))
        .set("decode_gbps", number(decode))
        .set("reachable", true);
    return finding;
}

Answer same_node_efa(const PairView& pair) {
    if (!both_by(pair, PathKind::libfabric) || pair.same_node != true) {
        return std::nullopt;
    }
    return PairFinding{Status::warn, std::nullopt, "both workers share a node: EFA may refuse", {}};
}

Answer version_mismatch(std::string_view what, const std::string& a, const std::string& b) {
    if (a.empty() || b.empty() || a == b) {
        return std::nullopt;
    }
    return differ(Status::warn, fmt::format("different {} versions", what), {a}, {b});
}

Answer ucx_version_mismatch(const PairView& pair) {
    const bool ucx = is_ucx(pair.prefill.kind) && is_ucx(pair.decode.kind);
    return ucx ? version_mismatch("UCX", pair.prefill.ucx_version, pair.decode.ucx_version)
               : std::nullopt;
}

Answer nixl_version_mismatch(const PairView& pair) {
    return version_mismatch("NIXL", pair.prefill.nixl_version, pair.decode.nixl_version);
}

Answer image_mismatch(const PairView& pair) {
    const auto& [a, b] = std::pair(pair.prefill.image, pair.decode.image);
    if (a.empty() || b.empty() || a == b) {
        return std::nullopt;
    }
    return differ(Status::warn, "different images", {a}, {b});
}

/// A setting on one side only may be meant; two different values seldom are.
Answer env_mismatch(const PairView& pair) {
    std::vector<std::string> prefill;
    std::vector<std::string> decode;
    for (const auto& [name, value] : pair.prefill.settings) {
        const auto other = pair.decode.settings.find(name);
        if (other != pair.decode.settings.end() && other->second != value) {
            prefill.push_back(fmt::format("{}={}", name, value));
            decode.push_back(fmt::format("{}={}", name, other->second));
        }
    }
    if (prefill.empty()) {
        return std::nullopt;
    }
    return differ(Status::warn, "different settings", prefill, decode);
}

} // namespace pairing

Path open_path(const PairView& pair) {
    if (both_by(pair, PathKind::nvlink)) {
        return Path::nvlink_mnnvl;
    }
    const auto layers = common(pair.prefill.layers, pair.decode.layers);
    if (pair.prefill.efa && pair.decode.efa) {
        return Path::efa;
    }
    if (layers.count(LinkLayer::infiniband) != 0) {
        return Path::rdma_ib;
    }
    return layers.count(LinkLayer::ethernet) != 0 ? Path::rdma_roce : Path::unknown;
}

Path fallback_path(const PairView& pair) {
    const bool tcp =
        pair.prefill.networks.count("tcp") != 0 && pair.decode.networks.count("tcp") != 0;
    const bool ucx = is_ucx(pair.prefill.kind) && is_ucx(pair.decode.kind);
    return ucx && tcp ? Path::tcp : Path::none;
}

PairVerdict judge_pair(const PairView& pair) {
    const auto severity = [](Status status) {
        return status == Status::fail ? 3 : status == Status::skipped ? 2 : 1;
    };
    PairVerdict verdict;
    for (const auto& rule : pairing::k_rules) {
        auto finding = rule.evaluate(pair);
        if (finding && (verdict.rule == nullptr ||
                        severity(finding->status) > severity(verdict.finding.status))) {
            verdict.rule = &rule;
            verdict.finding = std::move(*finding);
        }
    }
    const bool barred = verdict.rule != nullptr && verdict.finding.status == Status::fail;
    const bool unseen = verdict.rule != nullptr && verdict.finding.status == Status::skipped;
    verdict.path = barred ? fallback_path(pair) : unseen ? Path::unknown : open_path(pair);
    if (verdict.rule == nullptr) {
        verdict.finding.status = Status::ok;
    }
    return verdict;
}

} // namespace di::judge
