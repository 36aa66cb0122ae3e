// The words a scenario is written in. Values are what the kernel, the tools and the API print.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace di::kubesim::scenarios {

using Pairs = std::vector<std::pair<std::string, std::string>>;

enum class Fabric : std::uint8_t { infiniband, roce, efa };

/// The RDMA devices of a node, all alike.
struct Rdma {
    Fabric fabric = Fabric::infiniband;
    std::string resource = "rdma/ib"; ///< what the pod asks for
    int devices = 8;                  ///< in sysfs: the node's
    int granted = 8;                  ///< of them, nodes under /dev/infiniband: the pod's
    std::string state = "4: ACTIVE";
    std::string phys_state = "5: LinkUp";
    std::string rate = "400 Gb/sec (4X NDR)";
    bool managed = true; ///< a subnet manager has given out LIDs
    std::string subnet_prefix = "fe80:0000:0000:0000";
    std::vector<std::string> pkeys = {"0xffff"};
};

/// The GPUs a container sees, all alike, and the fabric they belong to.
struct Gpus {
    std::string product = "NVIDIA H100 80GB HBM3";
    std::string architecture = "Hopper";
    int memory_mib = 81559;
    int count = 4;
    int per_node = 8;
    int links = 18;
    std::string link_rate = "26.562 GB/s";
    std::string fabric_state = "Completed";
    std::string fabric_status = "Success";
    int clique = 0;
    std::string cluster_uuid = "00000000-0000-0000-0000-000000000000";
};

enum class Driver : std::uint8_t { open, proprietary };

struct Host {
    std::string arch = "x86_64"; ///< as uname -m says it
    std::string kernel = "6.8.0-64-generic";
    Rdma rdma;
    Gpus gpus;
    Driver driver = Driver::open;
    std::string driver_version = "570.172.08";
    std::vector<std::string> modules = {"nvidia_peermem", "gdrdrv"}; ///< beside the usual ones
    bool gdrdrv = true;                                              ///< /dev/gdrdrv
    bool imex = false;                                               ///< an IMEX channel
};

/// The inference engine inside a container.
struct Engine {
    std::string plugin = "UCX"; ///< NIXL backend: UCX or LIBFABRIC
    std::vector<std::string> arguments;
    Pairs exports;          ///< set by the launcher: in the environ, not in the pod's spec
    bool opens_hcas = true; ///< holds /dev/infiniband/uverbs* open
    std::string memlock = "unlimited";
    std::string cap_eff = "0000000000000000";
    unsigned uid = 1000;
};

enum class Shell : std::uint8_t { full, busybox, sh_only, none };

struct Image {
    std::string reference = "nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.3.1";
    Shell shell = Shell::full;
    std::vector<std::string> tools = {"nvidia-smi", "ibv_devinfo", "ucx_info"};
    bool hostile = false; ///< what it prints and shows is written by an enemy
};

enum class Role : std::uint8_t { prefill, decode, worker };

/// One component of the graph: `replicas` workers, each over `nodes` pods.
struct Component {
    std::string name;
    Role role = Role::worker;
    int replicas = 2;
    int nodes = 1;
    Host host;
    Engine engine;
    Image image;
    int crashing = 0; ///< replicas in CrashLoopBackOff
};

/// Which operator rendered the pods: the labels differ.
enum class Operator : std::uint8_t { newest, oldest };

struct Scenario {
    std::string name;
    std::string summary;
    std::vector<Component> components;
    Pairs env; ///< graph-wide, in the DynamoGraphDeployment's spec
    Operator rendered_by = Operator::newest;
    bool grove = false;   ///< PodCliques; otherwise Deployments
    bool sidecar = false; ///< a service mesh proxy stands before the engine's container
    int workers_per_node = 2;
    std::string graph = "qwen3-32b";
};

} // namespace di::kubesim::scenarios
