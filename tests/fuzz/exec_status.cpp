#include "base/strings.hpp"
#include "fuzz.hpp"
#include "kube/exec_outcome.hpp"
#include "kube/status.hpp"

namespace {

using namespace di;
using fuzz::require;

const std::string k_script =
    "printf SECRET-MARK; cat /sys/class/infiniband/*/ports/1/state # " + std::string(80, '.');

/// How a conversation can end with the input as its text.
std::vector<ws::Ended> endings(std::string_view input) {
    std::vector<ws::Ended> all(5);
    all[0].ending = ws::Ending::status;
    all[0].status = input;
    all[1].ending = ws::Ending::refused;
    all[1].body = input;
    constexpr int k_statuses[] = {400, 401, 403, 404, 429, 500, 503};
    all[1].head.status = k_statuses[input.size() % std::size(k_statuses)];
    all[2].ending = ws::Ending::lost;
    all[3].ending = ws::Ending::violation;
    all[4].ending = ws::Ending::overflow;
    for (std::size_t i = 2; i < all.size(); ++i) {
        all[i].detail = "connection closed: ";
        all[i].detail += input;
    }
    return all;
}

} // namespace

DI_FUZZ_TARGET(exec_status) {
    const auto status = kube::read_exit_status(input);
    require(status.kind != kube::ExitStatus::Kind::exited ||
                (status.exit_code >= 0 && status.exit_code <= 255),
            "an exit code fits a byte");
    require(status.kind != kube::ExitStatus::Kind::unreadable || !status.error.message.empty(),
            "what cannot be read says how");
    if (kube::read_status(input)) {
        require(kube::is_whole_json(input), "a Status is whole JSON");
    }
    const model::ProbeTask task{0, "ns", "pod-0", "main", {"sh", "-c", k_script, "nonce"}};
    for (const auto& ended : endings(input)) {
        const auto result = kube::classify(ended, task, input.substr(0, 40));
        const bool completed = result.outcome == model::ExecOutcome::completed;
        require(completed || !result.detail.empty(), "an exec that failed says how");
        require(!completed || ended.ending == ws::Ending::status,
                "only a Status completes an exec");
        require(!completed || status.kind == kube::ExitStatus::Kind::exited,
                "only an exit code completes an exec");
        require(!contains(result.detail, "SECRET-MARK") || contains(input, "SECRET-MARK"),
                "the script is not repeated");
        require(result.detail == printable(result.detail), "a detail can be printed");
    }
}
