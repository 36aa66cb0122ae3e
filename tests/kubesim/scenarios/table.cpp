#include "kubesim/scenarios/table.hpp"

#include <functional>
#include <utility>

namespace di::kubesim::scenarios {
namespace {

constexpr const char* k_connector = R"({"kv_connector":"NixlConnector","kv_role":"kv_both"})";

std::vector<std::string> vllm_arguments(const std::string& role, const std::string& connector) {
    std::vector<std::string> arguments = {
        "--model", "Qwen/Qwen3-32B", "--tensor-parallel-size", "4"};
    if (!role.empty()) {
        arguments.insert(arguments.end(), {"--disaggregation-mode", role});
    }
    arguments.insert(arguments.end(), {"--kv-transfer-config", connector});
    return arguments;
}

Component prefill(const Host& host) {
    Component component;
    component.name = "VllmPrefillWorker";
    component.role = Role::prefill;
    component.host = host;
    component.engine.arguments = vllm_arguments("prefill", k_connector);
    return component;
}

Component decode(const Host& host) {
    Component component = prefill(host);
    component.name = "VllmDecodeWorker";
    component.role = Role::decode;
    component.engine.arguments = vllm_arguments("decode", k_connector);
    return component;
}

Scenario disagg(std::string name, std::string summary, const Host& host) {
    Scenario scenario;
    scenario.name = std::move(name);
    scenario.summary = std::move(summary);
    scenario.components = {prefill(host), decode(host)};
    return scenario;
}

/// The same change to every component.
void each(Scenario& scenario, const std::function<void(Component&)>& change) {
    for (auto& component : scenario.components) {
        change(component);
    }
}

Host h100_infiniband() {
    return {};
}

Scenario disagg_ib() {
    return disagg("disagg-ib",
                  "healthy: 8 InfiniBand HCAs a node, NDR 400, GPUDirect by DMA-BUF and peermem",
                  h100_infiniband());
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

} // namespace

std::vector<Scenario> all() {
    return {disagg_ib(), tcp_fallback(), no_sm()};
}

} // namespace di::kubesim::scenarios
