// Ready-made hosts and components, each healthy; a scenario takes one and breaks it.
#pragma once

#include "kubesim/scenarios/vocabulary.hpp"

#include <functional>
#include <string>

namespace di::kubesim::scenarios {

Host h100_infiniband(); ///< HGX H100: 8 ConnectX-7, InfiniBand NDR 400, one shared device slot
Host h100_roce();       ///< HGX H100: 8 ConnectX-7 virtual functions, RoCE v2, a netdev for each
Host p5_efa();          ///< p5.48xlarge: 32 EFA devices, 16 of them in the pod
Host gb200_tray();      ///< GB200 NVL72: 4 GPUs in a NVLink domain of the rack, IMEX, 4 rails

/// vLLM workers of Qwen3-32B, TP 4, KV cache through NIXL.
Component prefill(const Host& host);
Component decode(const Host& host);
Component aggregated(const Host& host);

/// One prefill and one decode component of two workers each.
Scenario
disagg(std::string name, std::string summary, const Host& prefill_host, const Host& decode_host);
Scenario disagg(std::string name, std::string summary, const Host& host);

/// The same change to every component.
void each(Scenario& scenario, const std::function<void(Component&)>& change);

} // namespace di::kubesim::scenarios
