#include "base/strings.hpp"
#include "captured.hpp"
#include "judge.hpp"
#include "judge/pods.hpp"
#include "parse/tools.hpp"
#include "reporting.hpp"
#include "verdict/standalone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace di::app {
namespace {

namespace fs = std::filesystem;
using judge::CapturedPod;
using model::Role;

/// Names of the entries of a folder, in order.
Result<std::vector<std::string>> entries_of(const fs::path& folder) {
    std::error_code failure;
    std::vector<std::string> names;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
        names.push_back(entry->path().filename().string());
    }
    if (failure) {
        return Error{ErrorKind::usage, "cannot read " + folder.string(), "", failure.message(), ""};
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

/// A file that may be absent: then it is empty.
Result<std::string> optional_text(const fs::path& path, const Deps& deps) {
    return is_there(path) ? read_captured(path.string(), deps) : Result<std::string>("");
}

/// stdout, stderr and rc of one probe. Without stdout there is nothing to judge.
Result<CapturedOutput> probe_output(const fs::path& folder, const Deps& deps) {
    CapturedOutput output;
    auto out = read_captured((folder / "stdout").string(), deps);
    if (!out.ok()) {
        return out.error();
    }
    auto err = optional_text(folder / "stderr", deps);
    if (!err.ok()) {
        return err.error();
    }
    const auto rc = optional_text(folder / "rc", deps);
    if (!rc.ok()) {
        return rc.error();
    }
    output.out = *std::move(out);
    output.err = *std::move(err);
    std::optional<int> given;
    if (!trim(*rc).empty()) {
        const auto code = parse_unsigned(trim(*rc));
        if (!code || *code > 255) {
            return Error{ErrorKind::usage,
                         "cannot read " + (folder / "rc").string(),
                         "",
                         "an exit code is a number from 0 to 255",
                         ""};
        }
        given = static_cast<int>(*code);
    }
    output.rc = exit_code_of(given, output.err);
    return output;
}

/// Given on the command line, else by the pod's name.
Role role_of(const std::string& pod, const std::map<std::string, Role>& roles) {
    if (const auto given = roles.find(pod); given != roles.end()) {
        return given->second;
    }
    const bool prefill = contains(pod, "prefill");
    const bool decode = contains(pod, "decode");
    return prefill == decode ? Role::worker : prefill ? Role::prefill : Role::decode;
}

void note(const fs::path& path, const cli::Invocation& invocation, const Deps& deps) {
    if (!invocation.quiet) {
        deps.err(fmt::format("note: {} is no probe's name and is left aside\n",
                             printable(path.string())));
    }
}

Result<CapturedPod>
read_pod(const fs::path& folder, const cli::Invocation& invocation, const Deps& deps) {
    CapturedPod pod;
    pod.worker.pod = folder.filename().string();
    const auto& roles = invocation.capture.roles;
    pod.worker.role = role_of(pod.worker.pod, roles);
    pod.worker.role_source =
        roles.count(pod.worker.pod) != 0 ? model::RoleSource::args : model::RoleSource::name;
    const auto names = entries_of(folder);
    if (!names.ok()) {
        return names.error();
    }
    for (const auto& name : *names) {
        const auto path = folder / name;
        if (name == "node") {
            const auto node =
                is_folder(path) ? optional_text(path / "stdout", deps) : optional_text(path, deps);
            if (!node.ok()) {
                return node.error();
            }
            pod.worker.node = std::string(trim(*node));
            continue;
        }
        const auto tool = model::tool_named(name);
        if (!tool || !is_folder(path)) {
            note(path, invocation, deps);
            continue;
        }
        const auto output = probe_output(path, deps);
        if (!output.ok()) {
            return output.error();
        }
        pod.readings.emplace(*tool, parse::read_tool(*tool, output->view()));
    }
    return pod;
}

Result<std::vector<CapturedPod>> read_pods(const cli::Invocation& invocation, const Deps& deps) {
    const fs::path folder(*invocation.capture.pods);
    const auto names = entries_of(folder);
    if (!names.ok()) {
        return names.error();
    }
    std::vector<CapturedPod> pods;
    for (const auto& name : *names) {
        if (!is_folder(folder / name)) {
            note(folder / name, invocation, deps);
            continue;
        }
        auto pod = read_pod(folder / name, invocation, deps);
        if (!pod.ok()) {
            return pod.error();
        }
        pods.push_back(*std::move(pod));
    }
    for (const auto& [name, role] : invocation.capture.roles) {
        if (std::none_of(pods.begin(), pods.end(), [&, &pod_name = name](const auto& pod) {
                return pod.worker.pod == pod_name;
            })) {
            return Error{ErrorKind::usage,
                         "--role names " + name,
                         "",
                         "no such pod in " + folder.string(),
                         ""};
        }
    }
    if (pods.empty()) {
        return Error{ErrorKind::not_found,
                     "nothing to judge in " + folder.string(),
                     "",
                     "it holds no folder of a pod",
                     ""};
    }
    return pods;
}

} // namespace

int run_judge_pods(const cli::Invocation& invocation, const Deps& deps) {
    const auto pods = read_pods(invocation, deps);
    if (!pods.ok()) {
        return give_up(pods.error(), deps);
    }
    model::Inventory inventory;
    for (const auto& pod : *pods) {
        inventory.workers.push_back(pod.worker);
    }
    auto report = start_report(std::nullopt, inventory);
    report.place = counted(pods->size(), "pod") + " of " + *invocation.capture.pods;
    report.probed = pods->size();
    auto judgement = judge::judge_pods(*pods);
    report.checks = std::move(judgement.checks);
    report.pairs = std::move(judgement.pairs);
    report.counts = verdict::count_rows(report.checks);
    report.verdict = verdict::verdict_of_pods(report.checks, report.pairs);
    deps.out(rendered(report, invocation, deps));
    return report.verdict.readiness.exit_code;
}

} // namespace di::app
