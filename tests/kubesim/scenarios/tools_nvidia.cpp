// Formats of nvidia-smi 550..570 (TABs, the underlined header and blank columns included).
#include "kubesim/scenarios/hca.hpp"
#include "kubesim/scenarios/tools.hpp"

#include <fmt/format.h>

namespace di::kubesim::scenarios {
namespace {

constexpr std::string_view k_legend = R"(
Legend:

  X    = Self
  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)
  NODE = Connection traversing PCIe as well as the interconnect between PCIe Host Bridges within a NUMA node
  PHB  = Connection traversing PCIe as well as a PCIe Host Bridge (typically the CPU)
  PXB  = Connection traversing multiple PCIe bridges (without traversing the PCIe Host Bridge)
  PIX  = Connection traversing at most a single PCIe bridge
  NV#  = Connection traversing a bonded set of # NVLinks
)";

std::string distance(const PciPlace& one, const PciPlace& other) {
    if (one.bridge == other.bridge) {
        return "PXB";
    }
    return one.numa == other.numa ? "NODE" : "SYS";
}

std::string nic_cells(const PciPlace& from, const std::vector<Hca>& nics) {
    std::string cells;
    for (const Hca& nic : nics) {
        cells +=
            "\t" + (nic.pci.address == from.address ? std::string(" X ") : distance(from, nic.pci));
    }
    return cells;
}

/// "00000000:1B:00.0": eight digits of domain, upper case.
std::string bus_id(const PciPlace& place) {
    std::string text = "0000" + place.address;
    for (char& c : text) {
        c = c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return text;
}

std::string query_gpu(const Host& host, const PciPlace& place, const std::string& uuid) {
    const Gpus& gpus = host.gpus;
    const bool fabric = gpus.fabric_state != "N/A";
    return fmt::format("GPU {bus}\n"
                       "    Product Name                          : {product}\n"
                       "    Product Brand                         : NVIDIA\n"
                       "    Product Architecture                  : {architecture}\n"
                       "    Display Mode                          : Enabled\n"
                       "    Display Active                        : Disabled\n"
                       "    Persistence Mode                      : Enabled\n"
                       "    MIG Mode\n"
                       "        Current                           : Disabled\n"
                       "        Pending                           : Disabled\n"
                       "    GPU UUID                              : {uuid}\n"
                       "    GPU Reset Status\n"
                       "        Reset Required                    : No\n"
                       "        Drain and Reset Recommended       : No\n"
                       "    GSP Firmware Version                  : {driver}\n"
                       "    PCI\n"
                       "        Bus Id                            : {bus}\n"
                       "        GPU Link Info\n"
                       "            PCIe Generation\n"
                       "                Max                       : 5\n"
                       "                Current                   : 5\n"
                       "            Link Width\n"
                       "                Max                       : 16x\n"
                       "                Current                   : 16x\n"
                       "    Performance State                     : P0\n"
                       "    FB Memory Usage\n"
                       "        Total                             : {memory} MiB\n"
                       "    Compute Mode                          : Default\n"
                       "    ECC Mode\n"
                       "        Current                           : Enabled\n"
                       "        Pending                           : Enabled\n"
                       "    Fabric\n"
                       "        State                             : {state}\n"
                       "        Status                            : {status}\n"
                       "        CliqueId                          : {clique}\n"
                       "        ClusterUUID                       : {cluster}\n"
                       "        Health\n"
                       "            Bandwidth                     : {health}\n"
                       "            Route Recovery in progress    : {no}\n"
                       "            Route Unhealthy               : {no}\n"
                       "            Access Timeout Recovery       : {no}\n"
                       "    Processes                             : None\n"
                       "    Capabilities\n"
                       "        EGM                               : disabled\n\n",
                       fmt::arg("bus", bus_id(place)),
                       fmt::arg("product", gpus.product),
                       fmt::arg("architecture", gpus.architecture),
                       fmt::arg("uuid", uuid),
                       fmt::arg("driver", host.driver_version),
                       fmt::arg("memory", gpus.memory_mib),
                       fmt::arg("state", gpus.fabric_state),
                       fmt::arg("status", gpus.fabric_status),
                       fmt::arg("clique", fabric ? std::to_string(gpus.clique) : "N/A"),
                       fmt::arg("cluster", fabric ? gpus.cluster_uuid : "N/A"),
                       fmt::arg("health", host.imex ? "Full" : "N/A"),
                       fmt::arg("no", host.imex ? "False" : "N/A"));
}

} // namespace

std::string nvidia_smi_list(const Host& host, std::string_view seed) {
    std::string text;
    for (int i = 0; i < host.gpus.count; ++i) {
        text += fmt::format("GPU {}: {} (UUID: {})\n", i, host.gpus.product, gpu_uuid(seed, i));
    }
    return text;
}

std::string nvidia_smi_topo(const Host& host, std::string_view seed) {
    const auto gpus = gpu_places(host);
    const auto nics = hcas(host, seed);
    std::string header = "\t\x1b[4m";
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        header += fmt::format("GPU{}\t", i);
    }
    std::string legend;
    for (std::size_t i = 0; i < nics.size(); ++i) {
        header += fmt::format("NIC{}\t", i);
        legend += fmt::format("  NIC{}: {}\n", i, nics[i].name);
    }
    std::string text = header + "CPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n";
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        text += fmt::format("GPU{}", i);
        for (std::size_t j = 0; j < gpus.size(); ++j) {
            text += i == j ? std::string("\t X ") : fmt::format("\tNV{}", host.gpus.links);
        }
        const bool first = gpus[i].numa == 0;
        text += nic_cells(gpus[i], nics) + fmt::format("\t{}\t{}\t\tN/A\n",
                                                       first ? "0-55,112-167" : "56-111,168-223",
                                                       first ? 0 : 1);
    }
    for (std::size_t i = 0; i < nics.size(); ++i) {
        text += fmt::format("NIC{}", i);
        for (const auto& gpu : gpus) {
            text += "\t" + distance(nics[i].pci, gpu);
        }
        text += nic_cells(nics[i].pci, nics) + "\t\t\t\t\n";
    }
    text += k_legend;
    return text + (nics.empty() ? "" : "\nNIC Legend:\n\n" + legend + "\n");
}

std::string nvidia_smi_nvlink(const Host& host, std::string_view seed) {
    std::string text;
    for (int i = 0; i < host.gpus.count; ++i) {
        text += fmt::format("GPU {}: {} (UUID: {})\n", i, host.gpus.product, gpu_uuid(seed, i));
        for (int link = 0; link < host.gpus.links; ++link) {
            text += fmt::format("\t Link {}: {}\n", link, host.gpus.link_rate);
        }
    }
    return text;
}

std::string nvidia_smi_query(const Host& host, std::string_view seed) {
    std::string text =
        fmt::format("\n==============NVSMI LOG==============\n\n"
                    "Timestamp                                 : Tue Oct  6 09:41:22 2026\n"
                    "Driver Version                            : {}\n"
                    "CUDA Version                              : 12.8\n\n"
                    "Attached GPUs                             : {}\n",
                    host.driver_version,
                    host.gpus.count);
    int index = 0;
    for (const auto& place : gpu_places(host)) {
        text += query_gpu(host, place, gpu_uuid(seed, index));
        ++index;
    }
    return text;
}

} // namespace di::kubesim::scenarios
