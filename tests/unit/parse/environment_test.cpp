#include "captured.hpp"
#include "model/env_names.hpp"
#include "parse/environment.hpp"
#include "parse/ucx_settings.hpp"

namespace di::parse {
namespace {

using model::EnvMap;
using Names = std::set<std::string>;

/// Those of `transports` that reach another node or a GPU's memory; shared memory apart.
Names without_shared_memory(Names transports) {
    for (const char* const name : {"posix", "sysv", "xpmem", "knem", "cma", "self"}) {
        transports.erase(name);
    }
    return transports;
}

} // namespace

TEST_CASE("UCX_TLS: an allow list, as UCX reads it") {
    struct Case {
        std::string value;
        Names transports;
        Names auxiliary;
        std::vector<std::string> unknown;
    };

    const Names rc = {"rc_mlx5", "rc_verbs"};
    const Names ud = {"ud_mlx5", "ud_verbs"};
    const auto c = GENERATE_COPY(values<Case>({
        {"tcp", {"tcp"}, {}, {}},
        {"tcp,cuda_copy", {"tcp", "cuda_copy"}, {}, {}},
        {"rc", rc, ud, {}},
        {"rc,ud", {"rc_mlx5", "rc_verbs", "ud_mlx5", "ud_verbs"}, {}, {}},
        {"rc_x", {"rc_mlx5"}, {"ud_mlx5"}, {}},
        {"rc_v", {"rc_verbs"}, {"ud_verbs"}, {}},
        {"rc_mlx5", {"rc_mlx5"}, {}, {}}, // the literal name brings no wire-up
        {"\\rc_mlx5", {"rc_mlx5"}, {}, {}},
        {"dc", {"dc_mlx5"}, {"ud_mlx5"}, {}},
        {"dc_x,cuda", {"dc_mlx5", "cuda_copy", "cuda_ipc", "gdr_copy"}, {"ud_mlx5"}, {}},
        {"ib",
         {"rc_verbs", "ud_verbs", "rc_mlx5", "ud_mlx5", "dc_mlx5", "gga_mlx5", "srd", "rc_gda"},
         {},
         {}},
        {"srd,cuda_copy", {"srd", "cuda_copy"}, {}, {}},
        {"ud_mlx5:aux,tcp", {"tcp"}, {"ud_mlx5"}, {}},
        {"ud:aux,rc_mlx5", {"rc_mlx5"}, ud, {}},
        {"\\ud_mlx5:aux", {}, {"ud_mlx5"}, {}},
        {"rc_mlx", {}, {}, {"rc_mlx"}}, // a typo drops RDMA silently
        {"tcp,rc_mlx,cuda_copy", {"tcp", "cuda_copy"}, {}, {"rc_mlx"}},
        {" rc", {}, {}, {" rc"}}, // not trimmed
        {"tcp, rc", {"tcp"}, {}, {" rc"}},
        {"RC", {}, {}, {"RC"}},
        {"rc\r", {}, {}, {"rc\r"}},
        {"\\rc", {}, {}, {"\\rc"}}, // an alias is no transport
        {"tcp,rdmacm", {"tcp"}, {}, {}},
        {"tcp,all", {"tcp"}, {}, {"all"}},
        {"all,tcp", {"tcp"}, {}, {"all"}},
        {"tcp,^rc", {"tcp"}, {}, {"^rc"}}, // ^ counts only in front
        {",tcp,,", {"tcp"}, {}, {}},
        {"", {}, {}, {}},
        {",", {}, {}, {}},
    }));
    CAPTURE(c.value);
    const auto tls = parse_ucx_tls(c.value);
    CHECK(tls.text == c.value);
    CHECK(!tls.deny);
    CHECK(!tls.all);
    CHECK(tls.transports == c.transports);
    CHECK(tls.auxiliary == c.auxiliary);
    CHECK(tls.unknown == c.unknown);
}

TEST_CASE("UCX_TLS: shared memory by its three names") {
    CHECK(parse_ucx_tls("mm").transports == Names{"posix", "sysv", "xpmem"});
    CHECK(parse_ucx_tls("sm").transports == Names{"posix", "sysv", "xpmem", "knem", "cma"});
    CHECK(parse_ucx_tls("shm").transports == parse_ucx_tls("sm").transports);
}

TEST_CASE("UCX_TLS: everything, and deny lists") {
    const auto all = parse_ucx_tls("all");
    CHECK(all.all);
    CHECK(all.transports.count("rc_mlx5") == 1);
    CHECK(all.transports.count("tcp") == 1);
    CHECK(all.unknown.empty());

    const auto nothing_known = parse_ucx_tls("^rc_mlx");
    CHECK(nothing_known.deny);
    CHECK(nothing_known.all);
    CHECK(nothing_known.unknown == std::vector<std::string>{"rc_mlx"});
    CHECK(nothing_known.transports == all.transports);
    CHECK(parse_ucx_tls("^all").all); // read as `all` (ucs_config_sscanf_allow_list)

    const auto no_ib = parse_ucx_tls("^ib");
    CHECK(no_ib.deny);
    CHECK(!no_ib.all);
    CHECK(no_ib.transports.count("rc_mlx5") == 0);
    CHECK(no_ib.transports.count("srd") == 0);
    CHECK(no_ib.transports.count("tcp") == 1);
    CHECK(no_ib.auxiliary == Names{"ud_mlx5", "ud_verbs"}); // wire-up survives

    const auto no_rc = parse_ucx_tls("^rc");
    CHECK(no_rc.transports.count("rc_mlx5") == 0);
    CHECK(no_rc.transports.count("dc_mlx5") == 1);
    CHECK(no_rc.transports.count("ud_mlx5") == 1); // only helped, so it was not denied
    CHECK(parse_ucx_tls("^ud,ud:aux").auxiliary.empty());
    CHECK(parse_ucx_tls("^tcp").transports.count("tcp") == 0);
    const auto empty = parse_ucx_tls("^");
    CHECK(empty.deny);
    CHECK(empty.transports.empty()); // UCX refuses an empty list
    CHECK(without_shared_memory(parse_ucx_tls("^ib,cuda,rocm,ze,gaudi,ugni,ugni_udt").transports) ==
          Names{"tcp"});
}

TEST_CASE("UCX_NET_DEVICES: entries, ports and ranges") {
    struct Entry {
        std::string device;
        std::optional<int> port;
    };

    struct Case {
        std::string value;
        std::vector<Entry> entries;
        bool all = false;
        bool deny = false;
        bool ranges = false;
    };

    const auto c = GENERATE(values<Case>({
        {"all", {{"all", {}}}, true, false, false},
        {"mlx5_0:1,mlx5_1:1", {{"mlx5_0", 1}, {"mlx5_1", 1}}, false, false, false},
        {"mlx5_0", {{"mlx5_0", {}}}, false, false, false},
        {"eth0", {{"eth0", {}}}, false, false, false},
        {"eth0,all", {{"eth0", {}}, {"all", {}}}, true, false, false},
        {"^mlx5_2:1", {{"mlx5_2", 1}}, false, true, false},
        {"mlx5_[0-2]:1", {{"mlx5_0", 1}, {"mlx5_1", 1}, {"mlx5_2", 1}}, false, false, true},
        {"mlx5_[9-10]", {{"mlx5_9", {}}, {"mlx5_10", {}}}, false, false, true},
        {"rdmap79s0:1", {{"rdmap79s0", 1}}, false, false, false},
        {" mlx5_0:1", {{" mlx5_0", 1}}, false, false, false},
        {"mlx5_0:x", {{"mlx5_0:x", {}}}, false, false, false},
        {"mlx5_0:0", {{"mlx5_0:0", {}}}, false, false, false},
        {"mlx5_[3-1]:1", {{"mlx5_[3-1]", 1}}, false, false, false},
        {"mlx5_[0-9999999]:1", {{"mlx5_[0-9999999]", 1}}, false, false, false},
        {"mlx5_[0-2", {{"mlx5_[0-2", {}}}, false, false, false},
        {"a-b]c[", {{"a-b]c[", {}}}, false, false, false},
        {"", {}, false, false, false},
    }));
    CAPTURE(c.value);
    const auto devices = parse_ucx_net_devices(c.value);
    CHECK(devices.text == c.value);
    CHECK(devices.all == c.all);
    CHECK(devices.deny == c.deny);
    CHECK(devices.ranges == c.ranges);
    REQUIRE(devices.entries.size() == c.entries.size());
    for (std::size_t i = 0; i < c.entries.size(); ++i) {
        CHECK(devices.entries[i].device == c.entries[i].device);
        CHECK(devices.entries[i].port == c.entries[i].port);
    }
}

TEST_CASE("env: lines become values, and only those that may leave") {
    const auto seen = parse_env(printed("UCX_TLS=rc,cuda\nHF_TOKEN=hf_x\nPATH=/bin\nUCX_EMPTY=\n"
                                        "UCX_A=b=c\nNIXL_LIBFABRIC_SECRET=x\nMC_HOST_1=user:pw\n"
                                        "UCX_TLS=tcp\nno equals sign\n=x\nUCX B=1\n"
                                        "UCX_NOTE=one\x01UCX_NET_DEVICES=forged\n")
                                    .view());
    REQUIRE(seen);
    CHECK(*seen == EnvMap{{"UCX_TLS", "rc,cuda"},
                          {"UCX_EMPTY", ""},
                          {"UCX_A", "b=c"},
                          {"UCX_NOTE", "one\nUCX_NET_DEVICES=forged"}});
}

TEST_CASE("env: a CR spoils a value unless the whole text has it") {
    CHECK(parse_env(printed("UCX_TLS=rc\r\nUCX_A=1\n").view())->at("UCX_TLS") == "rc\r");
    CHECK(parse_env(printed("UCX_TLS=rc\r\nUCX_A=1\r\n").view())->at("UCX_TLS") == "rc");
    CHECK(parse_env(printed("UCX_TLS=rc").view())->at("UCX_TLS") == "rc");
}

TEST_CASE("env: credentials in URLs are blanked") {
    struct Case {
        std::string value;
        std::string shown;
    };

    const auto c = GENERATE(values<Case>({
        {"http://user:secret@host:1/a@b", "http://***@host:1/a@b"},
        {"a=tcp://u@h,b=tcp://p:q@h2", "a=tcp://***@h,b=tcp://***@h2"},
        {"http://host/x", "http://host/x"},
        {"http://a@b@c/", "http://***@c/"},
        {"://", "://"},
        {"me@example", "me@example"},
    }));
    CHECK(parse_env(printed("UCX_X=" + c.value + "\n").view())->at("UCX_X") == c.shown);
    CHECK(only_allowed({{"UCX_X", c.value}, {"AWS_SECRET_ACCESS_KEY", "x"}}) ==
          EnvMap{{"UCX_X", c.shown}});
}

TEST_CASE("env: nothing set is a fact, nothing readable is not") {
    CHECK(parse_env(printed("").view())->empty());
    CHECK(parse_env(printed("HOME=/root\n").view())->empty());
    CHECK(!parse_env(printed(k_foreign).view()));
    CHECK(parse_env(failed(127, "sh: 1: env: not found").view()).unseen()->reason ==
          model::SkipReason::tool_missing);
}

TEST_CASE("env: text that ends inside a name is cut, one that ends inside a value may be whole") {
    CHECK(parse_env(printed("UCX_NET_DEVICES=all\nUCX_T").view()).unseen()->reason ==
          model::SkipReason::truncated);
    CHECK(parse_env(printed("UCX_NET_DEVICES=all\nUCX_TLS=rc").view())->size() == 2);
    CHECK(parse_env(printed("UCX_NET_DEVICES=all\n").view())->size() == 1);
}

TEST_CASE("names that may leave a pod") {
    for (const char* const name : {"UCX_TLS",
                                   "UCX_IB_PKEY",
                                   "NIXL_PLUGIN_DIR",
                                   "NCCL_IB_HCA",
                                   "FI_PROVIDER",
                                   "VLLM_NIXL_SIDE_CHANNEL_HOST",
                                   "MC_FORCE_TCP",
                                   "MC_ENABLE_MNNVL",
                                   "TRTLLM_USE_UCX_KVCACHE",
                                   "SGLANG_DISAGGREGATION_NIXL_BACKEND",
                                   "GLOO_SOCKET_IFNAME",
                                   "DYN_KVBM_NIXL_BACKEND_UCX",
                                   "CUDA_VISIBLE_DEVICES",
                                   "TRTLLM_DISABLE_KV_CACHE_TRANSFER_OVERLAP"}) {
        CAPTURE(name);
        CHECK(model::may_leave_pod(name));
    }
    for (const char* const name : {"HF_TOKEN",
                                   "MC_HOST_1",
                                   "AWS_SECRET_ACCESS_KEY",
                                   "DYN_KVBM_NIXL_BACKEND_OBJ_SECRET_KEY",
                                   "NIXL_ETCD_ENDPOINTS",
                                   "NIXL_API_KEY",
                                   "NCCL_PASSWORD",
                                   "PATH",
                                   "",
                                   "XUCX_TLS",
                                   "UCX_CREDENTIALS",
                                   "FI_TOKEN"}) {
        CAPTURE(name);
        CHECK(!model::may_leave_pod(name));
    }
}

TEST_CASE("environment: UCX's reading is attached where the variables are set") {
    const auto none = environment(model::EnvSource::exec, {});
    CHECK(none.source == model::EnvSource::exec);
    CHECK(!none.tls);
    CHECK(!none.net_devices);
    const auto both =
        environment(model::EnvSource::engine, {{"UCX_TLS", ""}, {"UCX_NET_DEVICES", "eth0"}});
    REQUIRE(both.tls);
    CHECK(both.tls->transports.empty());
    REQUIRE(both.net_devices);
    CHECK(both.net_devices->entries.front().device == "eth0");
}

TEST_CASE("env: the corpus") {
    const auto seen = parse_env(captured("multi/pair-ucx-tls-disjoint/pods/decode-0/env").view());
    REQUIRE(seen);
    const auto read = environment(model::EnvSource::exec, *seen);
    CHECK(read.tls->tokens == std::vector<std::string>{"tcp", "cuda_copy", "cuda_ipc"});
    CHECK(read.net_devices->all);
}

} // namespace di::parse
