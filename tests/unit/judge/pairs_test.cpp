#include "cases.hpp"
#include "judge/pairs.hpp"
#include "judge/pod_rule.hpp"
#include "rows.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace di::test {
namespace {

using model::LinkLayer;
using model::Path;
using model::Role;
using model::SkipReason;
using model::Status;

/// One prefill and one decode worker on two nodes.
judge::Judgement judged(const FakePod& prefill, const FakePod& decode) {
    FakeCluster cluster;
    cluster.add(prefill).add(decode);
    return judge::evaluate(cluster.inventory, cluster.observations, {});
}

model::Pair pair_of(const FakePod& prefill, const FakePod& decode) {
    const auto pairs = judged(prefill, decode).pairs;
    REQUIRE(pairs.size() == 1);
    return pairs.front();
}

FakePod ib(Role role) {
    return infiniband_pod(role);
}

FakePod with(FakePod pod, const std::string& name, const std::string& value) {
    return pod.env(name, value);
}

FakePod prefix(const std::string& text) {
    return ib(Role::decode).each_port([&](model::Port& port) {
        port.gids.front().text = text + ":506b:4b03:00f2:c001";
    });
}

FakePod pkeys(const std::vector<std::uint16_t>& keys) {
    return ib(Role::decode).each_port([&](model::Port& port) { port.pkeys = keys; });
}

FakePod rate(double gbps) {
    return ib(Role::decode).each_port([&](model::Port& port) { port.rate_gbps = gbps; });
}

FakePod roce_v1() {
    return roce_pod(Role::decode).each_port([](model::Port& port) { port.gids.pop_back(); });
}

FakePod roce_v2() {
    return roce_pod(Role::prefill).each_port([](model::Port& port) {
        port.gids.erase(port.gids.begin());
    });
}

FakePod clique(FakePod pod, std::uint32_t number) {
    return pod.each_gpu([&](model::GpuFabric& gpu) {
        gpu.clique = number;
        gpu.cluster_uuid = "6f1c2a74-93be-4d05-8a1e-52c7d90b3e48";
    });
}

FakePod blind(FakePod pod) {
    pod.seen.environment = model::Unseen{SkipReason::no_permission, "not ours"};
    return pod;
}

FakePod versions(const std::string& ucx, const std::string& nixl) {
    auto pod = ib(Role::decode);
    pod.seen.ucx->version = ucx;
    pod.seen.nixl_version = nixl;
    return pod;
}

struct PairCase {
    std::string reason;
    std::string what;
    FakePod prefill;
    FakePod decode;
    Status status;
    Path path;
};

std::vector<PairCase> fabric_cases() {
    const auto p = ib(Role::prefill);
    const std::string other = "fe80:0000:0000:0002";
    return {
        {"link-layer-mismatch",
         "InfiniBand to RoCE",
         p,
         roce_pod(Role::decode),
         Status::fail,
         Path::tcp},
        {"link-layer-mismatch",
         "the same without TCP",
         with(p, "UCX_TLS", "rc,cuda"),
         roce_pod(Role::decode),
         Status::fail,
         Path::none},
        {"subnet-prefix-mismatch", "two islands", p, prefix(other), Status::fail, Path::tcp},
        {"subnet-prefix-mismatch",
         "two islands and a router",
         with(p, "UCX_IB_IS_GLOBAL", "y"),
         with(prefix(other), "UCX_IB_IS_GLOBAL", "y"),
         Status::warn,
         Path::rdma_ib},
        {"pkey-mismatch", "two partitions", p, pkeys({0x8012}), Status::fail, Path::tcp},
        {"pkey-mismatch", "a limited member", p, pkeys({0x7fff}), Status::warn, Path::rdma_ib},
        {"pkey-mismatch",
         "two limited members",
         pkeys({0x7fff}).change([](FakePod& pod) {
             pod.worker.role = Role::prefill;
             pod.worker.pod = "prefill-0";
         }),
         pkeys({0x7fff}),
         Status::fail,
         Path::tcp},
        {"pkey-mismatch",
         "UCX_IB_PKEY names another of two partitions",
         p,
         with(pkeys({0x8012, 0xffff}), "UCX_IB_PKEY", "0x12"),
         Status::fail,
         Path::tcp},
        {"", "one partition of two", p, pkeys({0x8012, 0xffff}), Status::ok, Path::rdma_ib},
        {"unreadable", "partitions not shown", p, pkeys({}), Status::skipped, Path::unknown},
        {"unreadable",
         "a subnet prefix not shown",
         p,
         ib(Role::decode).each_port([](model::Port& port) { port.gids.clear(); }),
         Status::skipped,
         Path::unknown},
        {"roce-version-mismatch", "v2 to v1", roce_v2(), roce_v1(), Status::fail, Path::tcp},
        {"roce-version-mismatch",
         "indices that differ in kind",
         with(roce_pod(Role::prefill), "UCX_IB_GID_INDEX", "0"),
         with(roce_pod(Role::decode), "UCX_IB_GID_INDEX", "3"),
         Status::fail,
         Path::tcp},
        {"rate-mismatch", "a slower side", p, rate(100), Status::warn, Path::rdma_ib},
        {"", "InfiniBand", p, ib(Role::decode), Status::ok, Path::rdma_ib},
        {"", "RoCE", roce_pod(Role::prefill), roce_pod(Role::decode), Status::ok, Path::rdma_roce},
        {"", "EFA", efa_pod(Role::prefill), efa_pod(Role::decode), Status::ok, Path::efa},
        {"same-node-efa",
         "EFA on one node",
         efa_pod(Role::prefill, "p", "n1"),
         efa_pod(Role::decode, "d", "n1"),
         Status::warn,
         Path::efa},
    };
}

std::vector<PairCase> transport_cases() {
    const auto p = ib(Role::prefill);
    const auto tls = [](Role role, const std::string& value) {
        return with(ib(role), "UCX_TLS", value);
    };
    return {
        {"backend-mismatch",
         "UCX to LIBFABRIC",
         p,
         efa_pod(Role::decode),
         Status::fail,
         Path::none},
        {"ucx-tls-disjoint",
         "rc to tcp",
         tls(Role::prefill, "rc,cuda_copy,cuda_ipc"),
         tls(Role::decode, "tcp,cuda_copy,cuda_ipc"),
         Status::fail,
         Path::none},
        {"ucx-tls-disjoint",
         "rc to dc, both with tcp",
         tls(Role::prefill, "rc,cuda,tcp"),
         tls(Role::decode, "dc,cuda,tcp"),
         Status::fail,
         Path::tcp},
        {"tcp-only",
         "tcp on both",
         tls(Role::prefill, "tcp,cuda"),
         tls(Role::decode, "tcp,cuda"),
         Status::fail,
         Path::tcp},
        {"tcp-only",
         "tcp on one, all on the other",
         p,
         tls(Role::decode, "tcp,cuda"),
         Status::fail,
         Path::tcp},
        {"", "a list on one side only", p, tls(Role::decode, "rc,cuda"), Status::ok, Path::rdma_ib},
    };
}

std::vector<PairCase> clique_cases() {
    const auto p = ib(Role::prefill);
    const auto gb_p = gb200_pod(Role::prefill);
    const auto gb_d = gb200_pod(Role::decode);
    return {
        {"", "one clique", gb_p, gb_d, Status::ok, Path::nvlink_mnnvl},
        {"clique-mismatch", "two cliques", gb_p, clique(gb_d, 7), Status::fail, Path::tcp},
        {"clique-mismatch",
         "two cliques beside RDMA",
         clique(p, 1),
         clique(ib(Role::decode), 2),
         Status::warn,
         Path::rdma_ib},
        {"",
         "two cliques beside RDMA, NVLink off",
         with(clique(p, 1), "UCX_CUDA_IPC_ENABLE_MNNVL", "n"),
         with(clique(ib(Role::decode), 2), "UCX_CUDA_IPC_ENABLE_MNNVL", "n"),
         Status::ok,
         Path::rdma_ib},
        {"cuda-ipc-missing",
         "one side without cuda_ipc",
         gb_p,
         with(clique(ib(Role::decode), 32766), "UCX_TLS", "rc,cuda_copy,tcp"),
         Status::fail,
         Path::tcp},
    };
}

std::vector<PairCase> worker_cases() {
    const auto p = ib(Role::prefill);
    return {
        {"worker-blocked",
         "no devices on decode",
         p,
         ib(Role::decode).no_devices(),
         Status::fail,
         Path::tcp},
        {"no-permission",
         "one environment unseen",
         p,
         blind(ib(Role::decode)),
         Status::skipped,
         Path::unknown},
        {"unreadable",
         "only the spec of one side",
         p,
         ib(Role::decode).env_source(model::EnvSource::spec),
         Status::skipped,
         Path::unknown},
        {"ucx-version-mismatch",
         "UCX",
         p,
         versions("1.19.0", "1.1.0"),
         Status::warn,
         Path::rdma_ib},
        {"nixl-version-mismatch",
         "NIXL",
         p,
         versions("1.20.0", "0.10.1"),
         Status::warn,
         Path::rdma_ib},
        {"env-mismatch",
         "two schemes",
         with(p, "UCX_RNDV_SCHEME", "get_zcopy"),
         with(ib(Role::decode), "UCX_RNDV_SCHEME", "put_zcopy"),
         Status::warn,
         Path::rdma_ib},
        {"connector-mismatch",
         "two connectors",
         p,
         ib(Role::decode)
             .arguments({"--kv-transfer-config", R"({"kv_connector":"OtherConnector"})"}),
         Status::fail,
         Path::tcp},
        {"",
         "one connector inside another",
         p,
         ib(Role::decode)
             .arguments({"--kv-transfer-config",
                         R"({"kv_connector":"MultiConnector","connectors":)"
                         R"([{"kv_connector":"NixlConnector"}]})"}),
         Status::ok,
         Path::rdma_ib},
        {"image-mismatch",
         "two images",
         ib(Role::prefill).change([](FakePod& pod) {
             pod.worker.spec.image = "vllm-runtime:1.1.0";
         }),
         ib(Role::decode).change([](FakePod& pod) {
             pod.worker.spec.image = "vllm-runtime:1.2.0";
         }),
         Status::warn,
         Path::rdma_ib},
        {"not-running",
         "an engine that is still loading",
         p,
         ib(Role::decode).libraries({}),
         Status::skipped,
         Path::unknown},
        {"",
         "a scheme on one side",
         with(p, "UCX_RNDV_SCHEME", "get_zcopy"),
         ib(Role::decode),
         Status::ok,
         Path::rdma_ib},
    };
}

std::vector<PairCase> all_cases() {
    return joined<PairCase>({fabric_cases(), transport_cases(), clique_cases(), worker_cases()});
}

} // namespace

TEST_CASE("each pair is what an expert says") {
    for (const auto& test : all_cases()) {
        CAPTURE(test.reason, test.what);
        const auto pair = pair_of(test.prefill, test.decode);
        CAPTURE(pair.detail);
        CHECK(pair.status == test.status);
        CHECK(pair.reason.value_or("") == test.reason);
        CHECK(to_string(pair.path) == to_string(test.path));
    }
}

TEST_CASE("a mismatch between two sides fails in both directions") {
    for (const auto& test : fabric_cases()) {
        CAPTURE(test.what);
        auto prefill = test.decode;
        auto decode = test.prefill;
        prefill.worker.role = Role::prefill;
        decode.worker.role = Role::decode;
        CHECK(pair_of(prefill, decode).status == test.status);
    }
}

TEST_CASE("each pair rule has a pair that it stands in the way of") {
    std::set<std::string> codes;
    for (const auto& test : all_cases()) {
        for (const auto& check : judged(test.prefill, test.decode).checks) {
            if (check.name == "pair") {
                codes.insert(check.code);
            }
        }
    }
    for (const auto* info : judge::catalogue()) {
        if (info->name == "pair") {
            CAPTURE(info->code);
            CHECK(codes.count(std::string(info->code)) == 1);
        }
    }
}

TEST_CASE("a pair that is not ok is a row too, with a next step; one that is ok is not") {
    const auto bad = judged(ib(Role::prefill), roce_pod(Role::decode));
    const auto check = row(bad.checks, "PAIR-002");
    CHECK(check.name == "pair");
    CHECK(check.status == Status::fail);
    CHECK(check.subject ==
          model::Subject{model::SubjectKind::pair, "dynamo", "prefill-0 -> decode-0"});
    CHECK(*check.facts.find("reason") == "link-layer-mismatch");
    CHECK(*check.facts.find("prefill") == "InfiniBand");
    CHECK(*check.facts.find("decode") == "Ethernet");
    CHECK(*check.facts.find("reachable_fast") == model::Value(false));
    CHECK(check.next->argv.size() > 3);
    for (const auto& other : judged(ib(Role::prefill), ib(Role::decode)).checks) {
        CHECK(other.name != "pair");
    }
}

TEST_CASE("each worker of a mixed pair is ok alone") {
    for (const auto& check : judged(ib(Role::prefill), roce_pod(Role::decode)).checks) {
        CAPTURE(check.code, check.detail);
        CHECK((check.name == "pair" || check.status != Status::fail));
    }
}

TEST_CASE("facts name both sides") {
    const auto fact = [](const model::Pair& pair, std::string_view key) {
        const auto* value = pair.facts.find(key);
        return value == nullptr ? model::Value() : *value;
    };
    const auto islands = pair_of(ib(Role::prefill), prefix("fe80:0000:0000:0002"));
    CHECK(fact(islands, "prefill") == "fe80:0000:0000:0001");
    CHECK(fact(islands, "decode") == "fe80:0000:0000:0002");
    const auto slow = pair_of(ib(Role::prefill), rate(100));
    CHECK(fact(slow, "prefill_gbps") == model::Value(1600));
    CHECK(fact(slow, "decode_gbps") == model::Value(400));
    CHECK(fact(slow, "reachable") == model::Value(true));
    CHECK(fact(slow, "reachable_fast") == model::Value(false));
    const auto disjoint = pair_of(with(ib(Role::prefill), "UCX_TLS", "rc,cuda_copy,cuda_ipc"),
                                  with(ib(Role::decode), "UCX_TLS", "tcp,cuda_copy,cuda_ipc"));
    CHECK(fact(disjoint, "prefill") ==
          model::Value(std::vector<std::string>{"rc", "cuda_copy", "cuda_ipc"}));
    CHECK(fact(pair_of(infiniband_pod(Role::prefill, "p", "n1"),
                       infiniband_pod(Role::decode, "d", "n1")),
               "same_node") == model::Value(true));
}

TEST_CASE("twice the GPUs with twice the HCAs is no mismatch") {
    auto large = ib(Role::decode);
    large.worker.spec.gpus = 8;
    for (const auto& device : std::vector(*large.seen.sysfs)) {
        auto more = device;
        more.name += "9";
        more.uverbs += "9";
        large.seen.sysfs->push_back(more);
        large.seen.verbs_nodes->push_back({"/dev/infiniband/" + more.uverbs, true});
    }
    CHECK(pair_of(ib(Role::prefill), large).status == Status::ok);
    large.worker.spec.gpus = 4;
    CHECK(pair_of(ib(Role::prefill), large).reason == "rate-mismatch");
}

TEST_CASE("the blocked side's row overrules the pair's, so that one cause counts once") {
    const auto check =
        row(judged(ib(Role::prefill), ib(Role::decode).no_devices()).checks, "PAIR-010");
    CHECK(check.overridden_by == "IB-001");
}

TEST_CASE("only workers of one namespace, graph and generation are paired") {
    const auto pairs = [](const std::function<void(model::Worker&)>& change) {
        auto decode = ib(Role::decode);
        change(decode.worker);
        auto prefill = ib(Role::prefill);
        prefill.worker.generation = "a1";
        prefill.worker.dynamo_namespace = "x";
        return judged(prefill, decode).pairs.size();
    };
    CHECK(pairs([](model::Worker& worker) { worker.generation = "a1"; }) == 1);
    CHECK(pairs([](model::Worker& worker) { worker.generation = "b2"; }) == 0);
    CHECK(pairs([](model::Worker& worker) { worker.generation.reset(); }) == 1);
    CHECK(pairs([](model::Worker& worker) { worker.graph = "other"; }) == 0);
    CHECK(pairs([](model::Worker& worker) { worker.graph.reset(); }) == 0);
    CHECK(pairs([](model::Worker& worker) { worker.ns = "other"; }) == 0);
    CHECK(pairs([](model::Worker& worker) { worker.role = Role::worker; }) == 0);
}

TEST_CASE("a mocker's pair is not applicable") {
    auto mocker = ib(Role::decode);
    mocker.worker.backend = model::Backend::mocker;
    CHECK(pair_of(ib(Role::prefill), mocker).reason == "not-applicable");
}

TEST_CASE("up to 64 pairs are listed one by one, more as classes of equal workers") {
    const auto cluster = [](int prefill, int decode) {
        FakeCluster result;
        for (int i = 0; i < prefill; ++i) {
            result.add(infiniband_pod(Role::prefill, "p-" + std::to_string(i), "n1"));
        }
        for (int i = 0; i < decode; ++i) {
            auto pod = infiniband_pod(Role::decode, "d-" + std::to_string(i), "n2");
            result.add(i % 2 == 0 ? pod : pod.no_devices());
        }
        return judge::evaluate(result.inventory, result.observations, {}).pairs;
    };
    const auto singles = cluster(8, 8);
    CHECK(singles.size() == 64);
    CHECK(singles.front().count == 1);
    CHECK(singles.front().prefill_members.empty());
    CHECK(singles.front().facts.find("same_node") != nullptr);

    const auto classes = cluster(13, 5);
    REQUIRE(classes.size() == 2);
    CHECK(classes[0].count == 13 * 3);
    CHECK(classes[0].status == Status::ok);
    CHECK(classes[0].decode_members == std::vector<std::string>{"d-0", "d-2", "d-4"});
    CHECK(classes[0].prefill_members.size() == 13);
    CHECK(classes[0].facts.find("same_node") == nullptr);
    CHECK(classes[1].count == 13 * 2);
    CHECK(classes[1].status == Status::fail);
}

} // namespace di::test
