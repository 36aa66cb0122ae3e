#include "kubesim/scenarios/table.hpp"

#include "kubesim/scenarios/parts.hpp"

namespace di::kubesim::scenarios {
namespace {

Scenario disagg_ib() {
    return disagg("disagg-ib",
                  "healthy: 8 InfiniBand HCAs a node, NDR 400, GPUDirect by DMA-BUF and peermem",
                  h100_infiniband());
}

Scenario disagg_roce() {
    auto scenario = disagg("disagg-roce",
                           "healthy: RoCE v2 on virtual functions, a mesh proxy as first container",
                           h100_roce());
    scenario.sidecar = true;
    return scenario;
}

Scenario disagg_efa() {
    auto scenario = disagg("disagg-efa",
                           "healthy: NIXL over libfabric on EFA, 16 of the node's 32 devices a pod",
                           p5_efa());
    scenario.env = {{"FI_PROVIDER", "efa"},
                    {"FI_EFA_USE_DEVICE_RDMA", "1"},
                    {"FI_EFA_ENABLE_SHM_TRANSFER", "0"}};
    each(scenario, [](Component& component) {
        component.image.reference = "nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.3.1-efa-amd64";
        component.engine.plugin = "LIBFABRIC";
        component.engine.arguments.back() =
            R"({"kv_connector":"NixlConnector","kv_role":"kv_both","kv_connector_extra_config":{"backends":["LIBFABRIC"]}})";
    });
    return scenario;
}

Scenario disagg_gb200() {
    auto scenario =
        disagg("disagg-gb200",
               "healthy: KV cache over the NVLink fabric of one clique, no IB transport wanted",
               gb200_tray());
    scenario.env = {{"UCX_TLS", "cuda_copy,cuda_ipc,tcp"}, {"UCX_CUDA_IPC_ENABLE_MNNVL", "y"}};
    scenario.workers_per_node = 1;
    each(scenario, [](Component& component) {
        component.image.reference = "nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.3.1-arm64";
        component.engine.opens_hcas = false;
        // Sleep mode allocates the KV cache as VMM memory, which fabric handles need.
        component.engine.arguments.emplace_back("--enable-sleep-mode");
    });
    return scenario;
}

Scenario tcp_fallback() {
    auto scenario =
        disagg("tcp-fallback",
               "a healthy fabric that UCX_TLS=tcp,cuda_copy keeps the KV cache from using",
               h100_infiniband());
    scenario.env = {{"UCX_TLS", "tcp,cuda_copy"}};
    each(scenario, [](Component& component) { component.engine.opens_hcas = false; });
    return scenario;
}

Scenario no_sm() {
    Host host = h100_infiniband();
    host.rdma.state = "2: INIT";
    host.rdma.managed = false;
    auto scenario =
        disagg("no-sm", "every port is LinkUp and waits in INIT: no subnet manager runs", host);
    each(scenario, [](Component& component) { component.engine.opens_hcas = false; });
    return scenario;
}

Scenario mixed_fabric() {
    return disagg(
        "mixed-fabric",
        "prefill nodes on InfiniBand, decode nodes on RoCE: each healthy, no path between",
        h100_infiniband(),
        h100_roce());
}

Scenario no_tools() {
    auto scenario = disagg("no-tools",
                           "the fabric of disagg-ib, images with sh and no other program",
                           h100_infiniband());
    each(scenario, [](Component& component) {
        component.image.shell = Shell::sh_only;
        component.image.tools.clear();
    });
    return scenario;
}

Scenario no_shell() {
    auto scenario =
        disagg("no-shell", "the fabric of disagg-ib, images without even sh", h100_infiniband());
    each(scenario, [](Component& component) {
        component.image.shell = Shell::none;
        component.image.tools.clear();
    });
    return scenario;
}

Scenario agg_only() {
    Scenario scenario;
    scenario.name = "agg-only";
    scenario.summary = "aggregated workers: nothing to transfer";
    scenario.components = {aggregated(h100_infiniband())};
    return scenario;
}

Scenario crashloop() {
    auto scenario =
        disagg("crashloop", "one of two decode workers is in CrashLoopBackOff", h100_infiniband());
    scenario.components.back().crashing = 1;
    return scenario;
}

Scenario multinode_grove() {
    Host host = h100_infiniband();
    host.gpus.count = 8;
    auto scenario =
        disagg("multinode-grove", "Grove: a prefill and a decode group of two nodes each", host);
    scenario.graph = "dsr1";
    scenario.grove = true;
    scenario.workers_per_node = 1;
    each(scenario, [](Component& component) {
        component.name = component.role == Role::prefill ? "prefill" : "decode";
        component.replicas = 1;
        component.nodes = 2;
        component.engine.arguments[1] = "deepseek-ai/DeepSeek-R1";
        component.engine.arguments[3] = "16";
    });
    return scenario;
}

/// Roles stand in a flag on one side, and in nothing but the component's name on the other.
Scenario old_operator() {
    auto scenario = disagg(
        "old-operator", "an operator of 0.4: no type labels, no graph label", h100_infiniband());
    scenario.graph = "vllm-v1-disagg";
    scenario.rendered_by = Operator::oldest;
    each(scenario, [](Component& component) {
        component.image.reference = "nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.4.0";
        component.engine.arguments = {"--model", "Qwen/Qwen3-32B", "--tensor-parallel-size", "4"};
        if (component.role == Role::prefill) {
            component.engine.arguments.emplace_back("--is-prefill-worker");
        }
    });
    return scenario;
}

Scenario hostile() {
    auto scenario = disagg("hostile",
                           "a healthy fabric in containers that lie to terminals and parsers",
                           h100_infiniband());
    scenario.env = {{"UCX_LOG_LEVEL", "info\x1b[2J\x1b[31m"}};
    each(scenario, [](Component& component) {
        component.image.hostile = true;
        component.engine.exports = {
            {"NIXL_ETCD_ENDPOINTS", "http://nixl:planted-etcd-password@etcd:2379"},
            {"NIXL_LOG_LEVEL", "INFO\nUCX_TLS=tcp\n\x1b]0;owned\x07"},
        };
    });
    return scenario;
}

} // namespace

std::vector<Scenario> all() {
    return {disagg_ib(),
            disagg_roce(),
            disagg_efa(),
            disagg_gb200(),
            tcp_fallback(),
            no_sm(),
            mixed_fabric(),
            no_tools(),
            no_shell(),
            agg_only(),
            crashloop(),
            multinode_grove(),
            old_operator(),
            hostile()};
}

} // namespace di::kubesim::scenarios
