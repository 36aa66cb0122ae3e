#include "render/document.hpp"
#include "render/json.hpp"
#include "render/table.hpp"
#include "support/golden.hpp"
#include "unit/render/sample_report.hpp"

#include <catch2/catch.hpp>
#include <rapidjson/document.h>

#include <algorithm>

using namespace di;
using namespace di::render;

TEST_CASE("a report as a table, as a person in an incident reads it", "[render]") {
    support::check_golden("render/table.txt", render_table(support::sample_report(), {}));
}

TEST_CASE("a wide table shows every row by itself", "[render]") {
    support::check_golden("render/wide.txt",
                          render_table(support::sample_report(), {.detail = Detail::wide}));
}

TEST_CASE("a narrow terminal gets hanging lines", "[render]") {
    support::check_golden("render/narrow.txt",
                          render_table(support::sample_report(), {.width = 90}));
}

TEST_CASE("colour adds escape codes and nothing else", "[render]") {
    const auto plain = render_table(support::sample_report(), {});
    auto colored = render_table(support::sample_report(), {.color = Color::on});
    CHECK(colored != plain);
    for (std::size_t at = 0; (at = colored.find('\x1b', at)) != std::string::npos;) {
        colored.erase(at, colored.find('m', at) - at + 1);
    }
    CHECK(colored == plain);
}

TEST_CASE("no headers means no headers", "[render]") {
    const auto text = render_table(support::sample_report(), {.headers = Headers::hidden});
    CHECK(text.find("STATUS") == std::string::npos);
    CHECK(text.find("ENV-001") != std::string::npos);
}

TEST_CASE("whatever a pod printed cannot move the terminal or forge a line", "[render]") {
    const auto report = support::sample_report();
    for (const auto& text : {render_table(report, {}),
                             render_table(report, {.detail = Detail::wide}),
                             render_json(report_document(report)),
                             render_yaml(report_document(report))}) {
        CHECK(text.find('\x1b') == std::string::npos);
        CHECK(text.find("\nrow") == std::string::npos);
        CHECK(text.find('\xff') == std::string::npos);
        CHECK(std::all_of(
            text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c < 127); }));
    }
}

TEST_CASE("a report as JSON keeps the keys that scripts look for", "[render]") {
    const auto text = render_json(report_document(support::sample_report()));
    support::check_golden("render/report.json", text);
    rapidjson::Document document;
    document.Parse(text.c_str());
    REQUIRE_FALSE(document.HasParseError());
    CHECK(std::string(document["checks"][2]["status"].GetString()) == "fail");
    CHECK(document["counts"]["fail"].GetInt() == 1);
    CHECK(document["readiness"]["exitCode"].GetInt() == 1);
    CHECK(std::string(document["coverage"]["notProbed"][0]["reason"].GetString()) == "not-running");
}

TEST_CASE("a report as YAML", "[render]") {
    support::check_golden("render/report.yaml",
                          render_yaml(report_document(support::sample_report())));
}

TEST_CASE("a plan shows the script once, and what it needs", "[render]") {
    PlanView view;
    view.head = support::sample_report();
    view.plan.tasks.push_back(
        {0, "prod", "prefill-0", "main", {"sh", "-c", "echo hello", "nonce"}});
    view.permissions.push_back({"list", "pods", "", "prod"});
    view.requests.push_back({"get", "pods", "exec", "prod"});
    const auto document = plan_document(view);
    CHECK(*document.find("kind") == model::Value("Plan"));
    CHECK(*document.find("script") == model::Value("echo hello"));
    CHECK(document.find("permissions") != nullptr);
    CHECK(document.find("checks") == nullptr);
}

TEST_CASE("equal pairs of a graph are one line in the table and each its own when wide",
          "[render]") {
    auto report = support::sample_report();
    report.pairs.resize(4, report.pairs.front());
    report.pairs[3].prefill = "prefill-9";
    CHECK(render_table(report, {}).find("\n4 ") != std::string::npos);
    const auto wide = render_table(report, {.detail = Detail::wide});
    CHECK(wide.find("\n4 ") == std::string::npos);
    CHECK(wide.find("prefill-9") != std::string::npos);
}
