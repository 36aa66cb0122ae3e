// Fake workers for tests of judging: healthy ones by default, changed step by step.
#pragma once

#include "model/inventory.hpp"
#include "model/observation.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace di::test {

/// One worker and what its probe showed. Every change returns the pod for chaining.
struct FakePod {
    model::Worker worker;
    model::PodObservation seen;

    /// Sets a variable of the engine (and UCX's reading of UCX_TLS and UCX_NET_DEVICES).
    FakePod& env(const std::string& name, const std::string& value);
    FakePod& env_source(model::EnvSource source);
    FakePod& arguments(std::vector<std::string> words);
    FakePod& each_port(const std::function<void(model::Port&)>& change);
    FakePod& each_device(const std::function<void(model::RdmaDevice&)>& change);
    FakePod& each_gpu(const std::function<void(model::GpuFabric&)>& change);
    FakePod& no_devices();   ///< no uverbs node in the container
    FakePod& nodes_closed(); ///< nodes there, none openable
    FakePod& libraries(const std::vector<std::string>& paths);
    FakePod& unseen_exec(model::SkipReason reason); ///< the exec gave nothing at all
    FakePod& change(const std::function<void(FakePod&)>& change);
};

/// HGX H100: four InfiniBand HCAs at 400 Gb/s for four GPUs, vLLM with NIXL's UCX backend.
FakePod infiniband_pod(model::Role role, std::string name = "", std::string node = "");
/// The same with RoCE v2.
FakePod roce_pod(model::Role role, std::string name = "", std::string node = "");
/// EFA devices and NIXL's LIBFABRIC backend.
FakePod efa_pod(model::Role role, std::string name = "", std::string node = "");
/// GB200 tray whose UCX_TLS rests on multi-node NVLink; no RDMA.
FakePod gb200_pod(model::Role role, std::string name = "", std::string node = "");

struct FakeCluster {
    model::Inventory inventory;
    std::vector<model::PodObservation> observations;

    FakeCluster& add(FakePod pod);
    /// A pod that discovery left out.
    FakeCluster& left_out(model::Role role, model::NotProbedReason reason, std::string detail);
};

/// Two prefill and two decode workers of graph "llama", on two nodes.
FakeCluster disagg(const std::function<FakePod(model::Role, std::string, std::string)>& make,
                   const std::function<void(FakePod&)>& change = {});

/// UCX_TLS with the aliases that tests use.
model::UcxTls ucx_tls(const std::string& text);
model::UcxNetDevices ucx_net_devices(const std::string& text);

/// Sets one fact of an observation to "could not be seen".
struct Blindfold {
    std::string name;
    std::function<void(model::PodObservation&)> put_on;
};

/// One for each fact of a PodObservation, those inside the engine process included.
std::vector<Blindfold> blindfolds();

} // namespace di::test
