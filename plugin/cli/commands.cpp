#include "cli/commands.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace di::cli {
namespace {

using enum FlagGroup;

constexpr std::array k_check_groups = {
    scope, selection, probing, verdict, output, connection, common};
constexpr std::array k_node_groups = {
    host, scope, selection, probing, verdict, output, connection, common};
constexpr std::array k_plan_groups = {scope, selection, output, connection, common};
constexpr std::array k_rbac_groups = {grant, scope, output, connection, common};
constexpr std::array k_judge_groups = {capture, output, common};
constexpr std::array k_explain_groups = {explain, output, common};
constexpr std::array k_plain_groups = {output, common};

/// More than a shell passes on by mistake.
constexpr std::size_t k_most_paths = 10'000;

constexpr std::array k_commands = {
    CommandInfo{Command::check,
                "check",
                "[flags]",
                "probe every worker, compare the roles, give one verdict",
                "check -n dynamo",
                0,
                k_check_groups},
    CommandInfo{Command::env,
                "env",
                "PATH... | [flags]",
                "the transport environment: of manifests and recipes on disk, or of the workers",
                "env recipes/llama-3-70b",
                k_most_paths,
                k_check_groups},
    CommandInfo{Command::node,
                "node",
                "[--local | flags]",
                "only the rows about RDMA, GPUDirect and NVLink; --local probes this machine",
                "node --local",
                0,
                k_node_groups},
    CommandInfo{Command::judge,
                "judge",
                "PROBE [--stdout FILE] [--stderr FILE] [--rc N] | --pods DIR",
                "judge what one tool printed, or captured pods and their pairs; needs no cluster",
                "judge ib-link --stdout ibstat.txt",
                1,
                k_judge_groups},
    CommandInfo{Command::plan,
                "plan",
                "[flags]",
                "show what check would run, where, and what it needs; run nothing",
                "plan -n dynamo -o yaml",
                0,
                k_plan_groups},
    CommandInfo{Command::rbac,
                "rbac",
                "[-n NS] [--service-account|--user|--group NAME] [--check]",
                "print the least-privilege role, or ask what of it you are allowed",
                "rbac -n dynamo --service-account ci:checker | kubectl apply -f -",
                0,
                k_rbac_groups},
    CommandInfo{Command::explain,
                "explain",
                "CODE | --list [-o table|json|yaml|markdown]",
                "what a finding means, why it matters, how to fix it",
                "explain IB-002",
                1,
                k_explain_groups},
    CommandInfo{Command::version,
                "version",
                "[-o json]",
                "print the version",
                "version",
                0,
                k_plain_groups},
    CommandInfo{
        Command::help, "help", "[COMMAND]", "describe a command", "help check", 1, k_plain_groups},
};

/// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::span<const CommandInfo> commands() {
    return k_commands;
}

const CommandInfo& info(Command command) {
    return *std::find_if(k_commands.begin(), k_commands.end(), [&](const CommandInfo& entry) {
        return entry.command == command;
    });
}

std::string nearest(std::string_view word, const std::vector<std::string_view>& known) {
    std::string_view best;
    std::size_t best_distance = word.size() / 3 + 1; // one slip in a short word, more in a long one
    for (const auto candidate : known) {
        if (const auto d = distance(word, candidate);
            d <= best_distance && (best.empty() || d < best_distance)) {
            best = candidate;
            best_distance = d;
        }
    }
    return std::string(best);
}

} // namespace di::cli
