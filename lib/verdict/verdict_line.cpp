#include "verdict/verdict_line.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace di::verdict {
namespace {

using model::Path;
using model::Role;
using model::State;
using model::SubjectKind;
using model::Tier;

/// How a path is called, and where its traffic can be read off.
struct PathWords {
    Path path;
    std::string_view name;
    std::string_view counters;
};

constexpr std::string_view k_rdma_counters =
    "grep -H . /sys/class/infiniband/*/ports/*/counters/port_rcv_data";

constexpr PathWords k_paths[] = {
    {Path::rdma_ib, "InfiniBand RDMA", k_rdma_counters},
    {Path::rdma_roce, "RoCE RDMA", k_rdma_counters},
    {Path::efa, "EFA", "grep -H . /sys/class/infiniband/*/ports/*/hw_counters/rx_bytes"},
    {Path::nvlink_mnnvl, "multi-node NVLink", "nvidia-smi nvlink -gt d"},
};

const PathWords* words_for(const GraphTally& tally) {
    for (const auto* pair : tally.pairs) {
        for (const auto& words : k_paths) {
            if (words.path == pair->path) {
                return &words;
            }
        }
    }
    return nullptr;
}

std::string graph_name(const GraphTally& tally) {
    const auto& graph = tally.graph;
    return graph.ns + "/" + graph.name.value_or(graph.dynamo_namespace);
}

/// Of a reason in the verdict: the row and the coverage have it whole.
constexpr std::size_t k_detail = 120;

std::string_view plural(std::size_t count, std::string_view one, std::string_view many) {
    return count == 1 ? one : many;
}

std::size_t pair_count(const GraphTally& tally) {
    std::size_t count = 0;
    for (const auto* pair : tally.pairs) {
        count += pair->count;
    }
    return count;
}

std::string tier_words(Tier tier) {
    switch (tier) {
    case Tier::configured:
        return "configured, not yet shown to be capable";
    case Tier::capable:
        return "capable, not yet proven by traffic";
    case Tier::traffic:
        return "proven by traffic, payload not verified";
    case Tier::payload:
        break;
    }
    return "proven by a verified payload";
}

std::string good_news(const GraphTally& tally) {
    const auto* words = words_for(tally);
    if (words == nullptr) {
        return "no finding that counts stands against it";
    }
    const auto prefill = tally.count(Role::prefill);
    const auto decode = tally.count(Role::decode);
    return fmt::format("KV can go over {} between {} prefill and {} decode {}",
                       words->name,
                       prefill,
                       decode,
                       plural(decode, "worker", "workers"));
}

} // namespace

std::string describe(const Cause& cause, const GraphTally& tally) {
    const auto share = [&](std::size_t all, std::string_view one, std::string_view many) {
        const auto total = std::max(cause.subjects, all);
        return fmt::format(
            "{} ({} of {} {})", cause.detail, cause.subjects, total, plural(total, one, many));
    };
    if (cause.kind == SubjectKind::pod && std::max(cause.subjects, tally.workers.size()) > 1) {
        return share(tally.workers.size(), "worker", "workers");
    }
    if (cause.kind == SubjectKind::pair && tally.pairs.size() == pair_count(tally)) {
        return share(tally.pairs.size(), "pair", "pairs");
    }
    return cause.detail;
}

std::string describe_not_probed(const GraphTally& tally) {
    std::set<std::string> pods;
    for (const auto* worker : tally.workers) {
        pods.insert(worker->pod);
    }
    for (const auto* pod : tally.not_probed) {
        pods.insert(pod->pod);
    }
    const auto& first = *tally.not_probed.front();
    const auto count = tally.not_probed.size();
    return fmt::format("{} of {} workers {} not probed: {} {}{}",
                       count,
                       pods.size(),
                       plural(count, "was", "were"),
                       first.pod,
                       to_string(first.reason),
                       first.detail.empty() ? "" : " (" + excerpt(first.detail, k_detail) + ")");
}

std::string verdict_line(const GraphVerdict& worst, std::size_t graphs, Question question) {
    if (worst.tally == nullptr || worst.state == State::not_applicable) {
        return "not applicable: no prefill/decode split, so no KV leaves a worker";
    }
    const auto where = graphs > 1 ? graph_name(*worst.tally) + ": " : "";
    if (question == Question::rows && worst.state == State::ready) {
        return fmt::format("ready: {}nothing stands against the fast path in these rows; engines "
                           "and pairs were not judged",
                           where);
    }
    switch (worst.state) {
    case State::ready:
        return fmt::format(
            "ready: {}{}: {}", where, tier_words(worst.tier), good_news(*worst.tally));
    case State::degraded:
        return fmt::format("degraded: {}{}: {}", where, tier_words(worst.tier), worst.cause);
    default:
        return fmt::format("{}: {}{}", to_string(worst.state), where, worst.cause);
    }
}

std::optional<model::NextStep> proof(const GraphVerdict& worst, const Options& options) {
    const bool good = worst.state == State::ready || worst.state == State::degraded;
    const auto* words = worst.tally == nullptr ? nullptr : words_for(*worst.tally);
    if (!good || words == nullptr || worst.tier != Tier::capable || options.kubectl.empty()) {
        return std::nullopt;
    }
    const auto& workers = worst.tally->workers;
    const auto decode = std::find_if(workers.begin(), workers.end(), [](const auto* worker) {
        return worker->role == Role::decode;
    });
    if (decode == workers.end()) {
        return std::nullopt;
    }
    auto argv = options.kubectl;
    for (const std::string_view word : {std::string_view("-n"),
                                        std::string_view((*decode)->ns),
                                        std::string_view("exec"),
                                        std::string_view((*decode)->pod),
                                        std::string_view("-c"),
                                        std::string_view((*decode)->container),
                                        std::string_view("--"),
                                        std::string_view("sh"),
                                        std::string_view("-c"),
                                        words->counters}) {
        argv.emplace_back(word);
    }
    return model::NextStep{std::move(argv),
                           "to prove traffic, read this counter before and after real requests: "
                           "it must grow with the KV that moved"};
}

} // namespace di::verdict
