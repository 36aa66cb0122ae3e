#include "kubesim/faults.hpp"

#include <catch2/catch.hpp>

using namespace di::kubesim;

TEST_CASE("each fault switches on what it says", "[kubesim][faults]") {
    Faults faults;
    for (const auto* const text : {"unauthorized",
                                   "no-crd",
                                   "no-v5",
                                   "namespaced-only",
                                   "forbidden:pods",
                                   "forbidden:pods/exec",
                                   "forbidden:create:pods/exec",
                                   "exec-truncate",
                                   "exec-hang:p-1",
                                   "exec-fails-early",
                                   "exec-refuse-upgrade:502",
                                   "slow-exec:1m30s",
                                   "slow-review:10s",
                                   "expired-continue",
                                   "forbidden:get:pods/exec=p-1",
                                   "restart:2:300ms",
                                   "warning:old API",
                                   "server-error:2",
                                   "too-many-requests:1"}) {
        CAPTURE(text);
        CHECK(add_fault(faults, text).ok());
    }
    CHECK(faults.unauthorized);
    CHECK(faults.no_crd);
    CHECK(faults.no_v5);
    CHECK(faults.namespaced_only);
    REQUIRE(faults.forbidden.size() == 4);
    CHECK(faults.forbidden[3].subresource == "exec");
    CHECK(faults.forbidden[3].name == "p-1");
    CHECK(faults.forbidden[1].resource == "pods");
    CHECK(faults.forbidden[1].subresource == "exec");
    CHECK(faults.forbidden[2].verb == "create");
    CHECK(faults.concerns(ExecFault::truncate, "p-2"));
    CHECK(faults.concerns(ExecFault::hang, "p-1"));
    CHECK_FALSE(faults.concerns(ExecFault::hang, "p-2"));
    CHECK_FALSE(faults.concerns(ExecFault::stall, "p-1"));
    REQUIRE(faults.restart);
    CHECK(faults.restart->after == 2);
    CHECK(faults.restart->away == std::chrono::milliseconds(300));
    CHECK(faults.warning == "old API");
    CHECK(faults.exec_refuse_upgrade == 502);
    CHECK(faults.slow_exec == std::chrono::seconds(90));
    CHECK(faults.expired_continue.take());
    CHECK_FALSE(faults.expired_continue.take());
    CHECK(faults.server_error.take());
    CHECK(faults.server_error.take());
    CHECK_FALSE(faults.server_error.take());
    CHECK(faults.too_many_requests.take());
}

TEST_CASE("wrong faults are explained", "[kubesim][faults]") {
    const auto* const text = GENERATE("",
                                      "nonsense",
                                      "unauthorized:x",
                                      "no-crd:1",
                                      "forbidden",
                                      "forbidden:",
                                      "forbidden:get:",
                                      "server-error",
                                      "server-error:many",
                                      "slow-exec",
                                      "slow-exec:soon",
                                      "exec-refuse-upgrade:99",
                                      "exec-refuse-upgrade:x",
                                      "restart",
                                      "restart:2:soon",
                                      "warning",
                                      "warning:a \" quote",
                                      "expired-continue:2");
    CAPTURE(text);
    Faults faults;
    const auto added = add_fault(faults, text);
    REQUIRE_FALSE(added.ok());
    CHECK(added.error().object == text);
    CHECK_FALSE(added.error().cause.empty());
}

TEST_CASE("the help names every fault that can be parsed", "[kubesim][faults]") {
    const auto help = describe_faults();
    for (const auto* const name :
         {"unauthorized", "forbidden", "no-v5", "restart:N[:D]", "slow-exec", "exec-stall[:POD]"}) {
        CHECK(help.find(name) != std::string::npos);
    }
}
