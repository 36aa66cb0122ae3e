// The probe script's output, made of every pod of the corpus, cut anywhere on its way.
#include "judge/evaluate.hpp"
#include "parse/observe.hpp"
#include "support/folder_tests.hpp"
#include "unit/cut/cuts.hpp"
#include "verdict/roll_up.hpp"

#include <fstream>
#include <iterator>
#include <map>

namespace di::test {
namespace {

namespace fs = std::filesystem;

using model::PodObservation;
using model::State;
using model::Status;

constexpr std::string_view k_nonce = "5f1d0c7ab2e94c3d"; // of tests/fuzz/seeds.py

model::Inventory two_workers() {
    model::Inventory inventory;
    for (const auto role : {model::Role::prefill, model::Role::decode}) {
        model::Worker worker;
        worker.ns = "dynamo";
        worker.pod = std::string(to_string(role)) + "-0";
        worker.node = "node-of-" + worker.pod;
        worker.container = "main";
        worker.role = role;
        worker.graph = "llama";
        worker.backend = model::Backend::vllm;
        inventory.workers.push_back(worker);
    }
    model::Graph graph;
    graph.ns = "dynamo";
    graph.name = "llama";
    graph.disagg = true;
    inventory.graphs = {graph};
    return inventory;
}

PodObservation observed(std::string_view out, model::ExecOutcome outcome) {
    model::RawResult result;
    result.outcome = outcome;
    result.out = out;
    result.detail = "connection closed before the exit status";
    return parse::observe({}, result, k_nonce);
}

struct Judged {
    State state = State::inconclusive;
    std::map<std::string, bool> good; ///< by row and subject: ok, or a question that does not arise
};

/// Which rule speaks about a pair depends on what it says.
std::string name_of(const model::Check& check) {
    return (check.name == "pair" ? check.name : check.code) + " of " + check.subject.name;
}

bool is_good(const model::Check& check) {
    return check.status == Status::ok || check.reason == model::SkipReason::not_applicable;
}

/// Both workers showed the same.
Judged judged(const PodObservation& seen) {
    const auto inventory = two_workers();
    std::vector<PodObservation> observations(2, seen);
    observations[1].worker = 1;
    const auto judgement = judge::evaluate(inventory, observations, {});
    const auto left_out = judge::failed_execs(inventory, observations);
    Judged result;
    result.state = verdict::roll_up({inventory, left_out, judgement.checks, judgement.pairs}, {})
                       .verdict.readiness.state;
    for (const auto& check : judgement.checks) {
        result.good[name_of(check)] = is_good(check);
    }
    return result;
}

/// Rows that a cut output calls good though the whole does not.
std::vector<std::string> flattered(const Judged& cut, const Judged& whole) {
    std::vector<std::string> rows;
    for (const auto& [row, good] : cut.good) {
        const auto known = whole.good.find(row);
        if (good && (known == whole.good.end() || !known->second)) {
            rows.push_back(row);
        }
    }
    return rows;
}

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void check_cuts(const fs::path& path) {
    const std::string text = text_of(path);
    const auto whole = judged(observed(text, model::ExecOutcome::completed));
    PodObservation last;
    for (const auto size : cuts_of(text)) {
        const auto seen =
            observed(std::string_view(text).substr(0, size), model::ExecOutcome::truncated);
        if (seen == last) {
            continue; // judged already
        }
        last = seen;
        CAPTURE(size);
        const auto cut = judged(seen);
        CHECK_FALSE(seen.exec);
        CHECK(cut.state != State::ready);
        CHECK(cut.state != State::degraded);
        CHECK(flattered(cut, whole) == std::vector<std::string>{});
    }
}

/// Those in which every tool spoke, and recordings of the script in the test cluster.
std::vector<fs::path> outputs() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(DI_FUZZ_SEEDS) / "observe")) {
        const auto name = entry.path().filename().string();
        if (name.ends_with("-all-tools") || name.ends_with("-as-recorded")) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

const FolderTests k_outputs("cut: probe ", outputs(), check_cuts);

} // namespace

TEST_CASE("cut: among the probe's outputs are some that are ready when whole") {
    const auto files = outputs();
    CHECK(std::count_if(files.begin(), files.end(), [](const fs::path& path) {
              const auto seen = observed(text_of(path), model::ExecOutcome::completed);
              return judged(seen).state == State::ready;
          }) >= 2);
}

} // namespace di::test
