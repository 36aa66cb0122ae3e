#include "base/strings.hpp"
#include "cases.hpp"
#include "judge/pod_rule.hpp"
#include "judge/rules.hpp"
#include "rows.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace di::test {
namespace {

using model::Status;

const std::vector<RuleCase>& all_cases() {
    static const auto k_cases =
        joined<RuleCase>({engine_cases(), ib_cases(), gpu_cases(), ucx_env_cases(), env_cases()});
    return k_cases;
}

bool is_pod_rule(std::string_view code) {
    const auto rules = judge::pod_rules();
    return std::any_of(
        rules.begin(), rules.end(), [&](const auto* rule) { return rule->info.code == code; });
}

} // namespace

TEST_CASE("each rule says of each worker what an expert says") {
    for (const auto& test : all_cases()) {
        CAPTURE(test.code, test.what);
        const auto check = row_of(test.pod, test.code);
        CAPTURE(check.detail);
        CHECK(check.code == test.code);
        CHECK(check.status == test.status);
        CHECK(contains(check.detail, test.says));
    }
}

TEST_CASE("each rule has a worker that is ok, one that is not, and one that it cannot judge") {
    for (const auto* info : judge::catalogue()) {
        if (!is_pod_rule(info->code)) {
            continue; // pairs have their own table
        }
        CAPTURE(info->code);
        std::set<Status> seen;
        for (const auto& test : all_cases()) {
            if (test.code == info->code) {
                seen.insert(test.status);
            }
        }
        CHECK(seen.count(Status::ok) == 1);
        CHECK(seen.count(Status::warn) + seen.count(Status::fail) >= 1);
        CHECK(seen.count(Status::skipped) == 1);
    }
}

TEST_CASE("a row names its subject, its reason when skipped, and a next step unless it is ok") {
    for (const auto& test : all_cases()) {
        const auto check = row_of(test.pod, test.code);
        CAPTURE(test.code, test.what, check.detail);
        CHECK(check.subject.name == test.pod.worker.pod);
        CHECK(check.reason.has_value() == (check.status == Status::skipped));
        CHECK_FALSE(check.detail.empty());
        CHECK(check.next.has_value() == (check.status != Status::ok));
        if (check.next) {
            CHECK_FALSE(check.next->argv.empty());
            CHECK_FALSE(check.next->why.empty());
        }
    }
}

TEST_CASE("every rule can be explained") {
    for (const auto* info : judge::catalogue()) {
        CAPTURE(info->code);
        for (const auto text : {info->name, info->title, info->meaning, info->why, info->fix}) {
            CHECK_FALSE(text.empty());
        }
        CHECK_FALSE(info->source.empty());
        CHECK(judge::find_rule(info->code) == info);
    }
    CHECK(judge::find_rule("ib-002") == judge::find_rule("IB-002"));
    CHECK(judge::find_rule("IB-999") == nullptr);
    CHECK(judge::find_rule("") == nullptr);
}

} // namespace di::test
