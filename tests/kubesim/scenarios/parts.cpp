#include "kubesim/scenarios/parts.hpp"

#include <utility>

namespace di::kubesim::scenarios {
namespace {

constexpr const char* k_connector = R"({"kv_connector":"NixlConnector","kv_role":"kv_both"})";

Component
vllm(std::string name, Role role, const Host& host, const std::vector<std::string>& arguments) {
    Component component;
    component.name = std::move(name);
    component.role = role;
    component.host = host;
    component.engine.arguments = {"--model", "Qwen/Qwen3-32B", "--tensor-parallel-size", "4"};
    component.engine.arguments.insert(
        component.engine.arguments.end(), arguments.begin(), arguments.end());
    component.engine.arguments.insert(component.engine.arguments.end(),
                                      {"--kv-transfer-config", k_connector});
    return component;
}

} // namespace

Host h100_infiniband() {
    return {};
}

Host h100_roce() {
    Host host;
    host.rdma.fabric = Fabric::roce;
    host.rdma.resource = "nvidia.com/sriov_rdma";
    return host;
}

Host p5_efa() {
    Host host;
    host.kernel = "6.8.0-1031-aws";
    host.rdma.fabric = Fabric::efa;
    host.rdma.resource = "vpc.amazonaws.com/efa";
    host.rdma.devices = 32;
    host.rdma.granted = 16;
    host.rdma.rate = "100 Gb/sec (4X EDR)";
    host.modules = {"efa_nv_peermem", "gdrdrv"};
    return host;
}

Host gb200_tray() {
    Host host;
    host.arch = "aarch64";
    host.kernel = "6.8.0-1029-nvidia-64k";
    host.rdma.devices = 4;
    host.rdma.granted = 4;
    host.gpus.product = "NVIDIA GB200";
    host.gpus.architecture = "Blackwell";
    host.gpus.memory_mib = 189471;
    host.gpus.per_node = 4;
    host.gpus.link_rate = "50 GB/s";
    host.gpus.clique = 32766;
    host.gpus.cluster_uuid = "6f1c2a74-93be-4d05-8a1e-52c7d90b3e48";
    host.modules = {"gdrdrv"};
    host.imex = true;
    return host;
}

Component prefill(const Host& host) {
    return vllm("VllmPrefillWorker", Role::prefill, host, {"--disaggregation-mode", "prefill"});
}

Component decode(const Host& host) {
    return vllm("VllmDecodeWorker", Role::decode, host, {"--disaggregation-mode", "decode"});
}

Component aggregated(const Host& host) {
    return vllm("VllmWorker", Role::worker, host, {});
}

Scenario
disagg(std::string name, std::string summary, const Host& prefill_host, const Host& decode_host) {
    Scenario scenario;
    scenario.name = std::move(name);
    scenario.summary = std::move(summary);
    scenario.components = {prefill(prefill_host), decode(decode_host)};
    return scenario;
}

Scenario disagg(std::string name, std::string summary, const Host& host) {
    return disagg(std::move(name), std::move(summary), host, host);
}

void each(Scenario& scenario, const std::function<void(Component&)>& change) {
    for (auto& component : scenario.components) {
        change(component);
    }
}

} // namespace di::kubesim::scenarios
