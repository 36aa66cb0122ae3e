// nvidia-smi: topology, NVLink status, fabric, and the ways in which NVML fails.
#include "parse/fabric.hpp"
#include "parse/nvlink.hpp"
#include "parse/nvml.hpp"
#include "parse/topology.hpp"
#include "unit/parse/captured.hpp"

#include <fmt/format.h>

namespace di::parse {
namespace {

using model::SkipReason;
using Lines = std::vector<std::string>;

/// The upper triangle as "GPU0-GPU2 SYS", one per pair that is not `usual`.
Lines unusual_pairs(const model::GpuTopology& topology, const std::string& usual) {
    Lines result;
    for (std::size_t a = 0; a < topology.cells.size(); ++a) {
        for (std::size_t b = a + 1; b < topology.cells[a].size(); ++b) {
            if (topology.cells[a][b] != usual) {
                result.push_back(fmt::format("GPU{}-GPU{} {}", a, b, topology.cells[a][b]));
            }
        }
    }
    return result;
}

TEST_CASE("topo -m: the corpus' matrices are read cell by cell") {
    struct Case {
        std::string name;
        int gpus;
        std::size_t nics;
        std::string usual;
        Lines unusual;
    };

    const auto& [name, gpus, nics, usual, unusual] = GENERATE(values<Case>({
        {"topo-dgx-a100-nv12", 8, 10, "NV12", {}},
        {"topo-h100-nvl-pairs", 4, 2, "SYS", {"GPU0-GPU1 NV12", "GPU2-GPU3 NV12"}},
        {"topo-single-gpu-pod", 1, 1, "", {}},
        {"topo-l40s-pcie-only",
         8,
         2,
         "SYS",
         {"GPU0-GPU1 PIX",
          "GPU0-GPU2 NODE",
          "GPU0-GPU3 NODE",
          "GPU1-GPU2 NODE",
          "GPU1-GPU3 NODE",
          "GPU2-GPU3 PIX",
          "GPU4-GPU5 PIX",
          "GPU4-GPU6 NODE",
          "GPU4-GPU7 NODE",
          "GPU5-GPU6 NODE",
          "GPU5-GPU7 NODE",
          "GPU6-GPU7 PIX"}},
        {"multi/pod-h200-dmabuf-no-peermem/pods/decode-0/gpu-topology", 8, 8, "NV18", {}},
    }));
    CAPTURE(name);
    const auto topology = parse_topology(captured(name).view());
    REQUIRE(topology);
    CHECK_FALSE(topology->fault);
    CHECK(topology->gpus == gpus);
    CHECK(topology->nics.size() == nics);
    CHECK(topology->nics.front() == "mlx5_0");
    CHECK(topology->cells.size() == static_cast<std::size_t>(gpus));
    CHECK(topology->nic_cells.size() == static_cast<std::size_t>(gpus));
    for (const auto& row : topology->nic_cells) {
        CHECK(row.size() == nics);
    }
    CHECK(unusual_pairs(*topology, usual) == unusual);
}

struct FaultCase {
    Captured output;
    std::string reason;
    std::string nvml_version;
};

TEST_CASE("a broken driver is a fact with NVML's words, not a missing tool") {
    const auto& [output, reason, nvml_version] = GENERATE(values<FaultCase>({
        {captured("topo-nvml-mismatch"), "nvml-driver-mismatch", "535.161"},
        {captured("topo-driver-not-loaded"), "driver-not-loaded", ""},
        {captured("topo-nvml-unknown-error"), "nvml-unknown-error", ""},
        {failed(6, "", "No devices were found\n"), "no-gpu", ""},
        {failed(9, "", "Failed to initialize NVML: Driver Not Loaded\r\n"),
         "driver-not-loaded",
         ""},
        {failed(12,
                "",
                "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure "
                "that "
                "the NVIDIA Display Driver is properly installed and present in your system.\n"),
         "nvml-library-missing",
         ""},
        {failed(
             15,
             "",
             "Unable to determine the device handle for GPU 0000:41:00.0: GPU is lost.  Reboot the "
             "system to recover this GPU\n"),
         "gpu-lost",
         ""},
        {failed(
             255, "", "Unable to determine the device handle for GPU0000:41:00.0: Unknown Error\n"),
         "gpu-unreachable",
         ""},
        {failed(255, "Failed to initialize NVML: Timeout"), "nvml-error", ""},
    }));
    CAPTURE(output.out, output.err);
    const auto topology = parse_topology(output.view());
    REQUIRE(topology);
    REQUIRE(topology->fault);
    CHECK(topology->fault->reason == reason);
    CHECK(topology->fault->nvml_version == nvml_version);
    CHECK_FALSE(topology->fault->text.empty());
    CHECK(topology->gpus == 0);
    CHECK(gpu_fault(output.view())->reason == reason);
    const auto nvlink = parse_nvlink_status(output.view());
    REQUIRE(nvlink.unseen() != nullptr);
    CHECK(nvlink.unseen()->reason == SkipReason::unreadable);
    CHECK(parse_gpu_fabric(output.view()).unseen() != nullptr);
}

TEST_CASE("nvidia-smi that is missing, refused, stuck or not itself is no fact") {
    struct Case {
        Captured output;
        SkipReason reason;
    };

    const auto& [output, reason] = GENERATE(values<Case>({
        {failed(127, "sh: 1: nvidia-smi: not found"), SkipReason::tool_missing},
        {failed(124, ""), SkipReason::timed_out},
        {failed(4, "", "Failed to initialize NVML: Insufficient Permissions\n"),
         SkipReason::no_permission},
        {printed(k_foreign), SkipReason::unreadable},
    }));
    CAPTURE(output.out, output.err);
    CHECK(parse_topology(output.view()).unseen()->reason == reason);
    CHECK(parse_nvlink_status(output.view()).unseen()->reason == reason);
    CHECK(parse_gpu_fabric(output.view()).unseen()->reason == reason);
}

/// A matrix in which every pair is `cell`, drawn as nvidia-smi draws it.
std::string matrix(int gpus, const std::string& cell, const std::string& separator) {
    Lines heading = {""};
    Lines rows;
    for (int i = 0; i < gpus; ++i) {
        heading.push_back(fmt::format("GPU{}", i));
        Lines row(static_cast<std::size_t>(gpus), cell);
        row[static_cast<std::size_t>(i)] = " X ";
        rows.push_back(fmt::format("GPU{1}{0}{2}{0}PIX{0}SYS{0}0-55,112-167{0}0{0}N/A\n",
                                   separator,
                                   i,
                                   fmt::join(row, separator)));
    }
    return fmt::format(
        "\x1b[4m{1}{0}NIC0{0}NIC1{0}CPU Affinity{0}NUMA Affinity{0}GPU NUMA ID\x1b[0m\n{2}"
        "\nLegend:\n\n  X    = Self\n"
        "  NV#  = Connection traversing a bonded set of # NVLinks\n\n"
        "NIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: rocep12s0f0\n\n",
        separator,
        fmt::join(heading, separator),
        fmt::join(rows, ""));
}

TEST_CASE("topo -m: other sizes, link counts, separators and line ends") {
    const int gpus = GENERATE(2, 4, 8, 16);
    const std::string cell = GENERATE(as<std::string>(), "NV18", "NV6", "PXB", "SOC");
    const std::string separator = GENERATE(as<std::string>(), "\t", "    ");
    const std::string out = matrix(gpus, cell, separator);
    CAPTURE(out);
    const auto topology = parse_topology(printed(out).view());
    REQUIRE(topology);
    CHECK(topology->gpus == gpus);
    CHECK(unusual_pairs(*topology, cell).empty());
    CHECK(topology->nics == Lines{"mlx5_0", "rocep12s0f0"});
    const auto crlf = parse_topology(printed(with_crlf(out)).view());
    REQUIRE(crlf);
    CHECK(crlf->cells == topology->cells);
    CHECK(crlf->nics == topology->nics);
}

TEST_CASE("topo -m: drivers before the NIC legend name the devices in the heading") {
    const auto topology = parse_topology(printed("\tGPU0\tGPU1\tmlx5_0\tmlx5_2\tCPU Affinity\n"
                                                 "GPU0\t X \tNV2\tPIX\tSYS\t0-19\n"
                                                 "GPU1\tNV2\t X \tPIX\tSYS\t0-19\n"
                                                 "mlx5_0\tPIX\tPIX\t X \tSYS\t\n"
                                                 "mlx5_2\tSYS\tSYS\tSYS\t X \t\n")
                                             .view());
    REQUIRE(topology);
    CHECK(topology->cells == std::vector<Lines>{{"X", "NV2"}, {"NV2", "X"}});
    CHECK(topology->nics == Lines{"mlx5_0", "mlx5_2"});
}

TEST_CASE("topo -m: a matrix is whole or not there") {
    const std::string out = matrix(4, "NV18", "\t");
    const auto whole = parse_topology(printed(out).view());
    for_each_prefix(out, [&](const Captured& cut) {
        if (const auto part = parse_topology(cut.view())) {
            CHECK(part->gpus == 4);
            CHECK(part->cells == whole->cells);
            CHECK(part->nics.size() <= whole->nics.size());
        }
    });
    const auto rows = parse_topology(printed(out.substr(0, out.find("GPU2\tNV18") + 6)).view());
    REQUIRE(rows.unseen() != nullptr);
    CHECK(rows.unseen()->reason == SkipReason::truncated);
}

TEST_CASE("topo -m: rows that do not fit their heading are not read") {
    const std::string out = GENERATE(as<std::string>(),
                                     "\tGPU0\tGPU1\nGPU1\tX\tNV4\nGPU0\tNV4\tX\n",
                                     "\tGPU0\tGPU1\nGPU0\tNV4\tX\nGPU1\tX\tNV4\n",
                                     "\tGPU0\tGPU1\nGPU0\tX\tnvlink!\nGPU1\tNV4\tX\n");
    CHECK(parse_topology(printed(out).view()).unseen()->reason == SkipReason::unreadable);
}

/// "0: 18 links, inactive 3 5, 26.562"
Lines links(const std::vector<model::NvlinkGpu>& gpus) {
    Lines result;
    for (const auto& gpu : gpus) {
        result.push_back(fmt::format("{}: {} links, inactive {}, {}",
                                     gpu.index,
                                     gpu.links,
                                     fmt::join(gpu.inactive, " "),
                                     gpu.gbytes_per_s.value_or(0)));
    }
    return result;
}

TEST_CASE("nvlink --status: the corpus' links are counted by state") {
    struct Case {
        std::string name;
        Lines expected;
    };

    const auto& [name, expected] = GENERATE(values<Case>({
        {"nvlink-empty-l40s", {}},
        {"nvlink-h100-all-up",
         {"0: 18 links, inactive , 26.562", "1: 18 links, inactive , 26.562"}},
        {"nvlink-v100-two-inactive",
         {"0: 6 links, inactive , 25.781",
          "1: 6 links, inactive , 25.781",
          "2: 6 links, inactive , 25.781",
          "3: 6 links, inactive 3 5, 25.781"}},
    }));
    CAPTURE(name);
    const auto gpus = parse_nvlink_status(captured(name).view());
    REQUIRE(gpus);
    CHECK(links(*gpus) == expected);
}

const std::string k_nvlink =
    "GPU 0: NVIDIA B200 (UUID: GPU-4225f6dc-1528-b7fd-33f7-4f9f711c5918)\n"
    "\t Link 0: 50 GB/s\n"
    "         Link 1: 50 GB/s\n"
    "GPU 1: NVIDIA B200 (UUID: GPU-b4546fcb-5afb-db7a-979e-38256c133724)\n"
    "\t Link 0: <inactive>\n"
    "\t Link 1: 53,125 GB/s\n"
    "GPU 2: NVIDIA A100-SXM4-80GB (UUID: GPU-dbad569d-9fe0-8ed4-fb04-8d3ff8492afb)\n"
    "\t Link 0: 25 GB/s\n"
    "\t Link 1: 12.5 GB/s\n"
    "GPU 3: NVIDIA A30 (UUID: GPU-0e3fcfcf-b76c-92fb-9653-93643b0db0f4)\n"
    "\t Unable to retrieve NVLink information as all links are inActive\n";

TEST_CASE("nvlink --status: NVLink 5 rates, odd blanks, decimal commas, links in words") {
    const std::string out = GENERATE_COPY(as<std::string>(), k_nvlink, with_crlf(k_nvlink));
    const auto gpus = parse_nvlink_status(printed(out).view());
    REQUIRE(gpus);
    CHECK(links(*gpus) == Lines{"0: 2 links, inactive , 50",
                                "1: 2 links, inactive 0, 53.125",
                                "2: 2 links, inactive , 0",
                                "3: 0 links, inactive , 0"});
    CHECK(gpus->at(0).product == "NVIDIA B200");
    CHECK(gpus->at(3).all_inactive);
    CHECK_FALSE(gpus->at(0).all_inactive);
}

TEST_CASE("nvlink --status: a GPU whose links could not be asked for is not one without NVLink") {
    const auto gpus = parse_nvlink_status(
        printed(
            "GPU 0: NVIDIA H200 (UUID: GPU-1)\n\t Link 0: 26.562 GB/s\n"
            "GPU 1: NVIDIA H200 (UUID: GPU-2)\n\t NVML: Unable to retrieve NVLink state: Unknown\n")
            .view());
    REQUIRE(gpus.unseen() != nullptr);
    CHECK(gpus.unseen()->why == "NVML: Unable to retrieve NVLink state: Unknown");
    const auto none = parse_nvlink_status(printed("GPU 0: NVIDIA L4 (UUID: GPU-3)\n").view());
    REQUIRE(none);
    CHECK(none->front().links == 0);
}

TEST_CASE("nvlink --status: cut anywhere, no link appears that was not printed whole") {
    const auto whole = parse_nvlink_status(printed(k_nvlink).view());
    for_each_prefix(k_nvlink, [&](const Captured& cut) {
        const auto part = parse_nvlink_status(cut.view());
        if (!part) {
            return;
        }
        REQUIRE(part->size() <= whole->size());
        for (std::size_t i = 0; i < part->size(); ++i) {
            CHECK(part->at(i).index == whole->at(i).index);
            CHECK(part->at(i).product == whole->at(i).product);
            CHECK(part->at(i).links <= whole->at(i).links);
            CHECK(part->at(i).inactive.size() <= whole->at(i).inactive.size());
        }
    });
    const auto cut = parse_nvlink_status(printed(k_nvlink.substr(0, k_nvlink.size() - 10)).view());
    CHECK(cut.unseen()->reason == SkipReason::truncated);
}

/// "00000000:1B:00.0 NVIDIA H100 Completed/Success 0 uuid health"
Lines fabric(const std::vector<model::GpuFabric>& gpus) {
    Lines result;
    for (const auto& gpu : gpus) {
        result.push_back(fmt::format("{} {}/{} {} {} {}",
                                     gpu.pci,
                                     gpu.state,
                                     gpu.status,
                                     gpu.clique ? fmt::format("{}", *gpu.clique) : "-",
                                     gpu.cluster_uuid,
                                     gpu.health));
    }
    return result;
}

const std::string k_zero = "00000000-0000-0000-0000-000000000000";

TEST_CASE("nvidia-smi -q: the corpus' fabric sections are read inside their block only") {
    struct Case {
        std::string name;
        Lines expected;
        std::string product;
    };

    const std::string full = " Completed/Insufficient Resources 0 " + k_zero + " ";
    const auto& [name, expected, product] = GENERATE_COPY(values<Case>({
        {"fabric-a100-na", {"00000000:07:00.0 N/A/N/A -  "}, "NVIDIA A100-SXM4-80GB"},
        {"fabric-h100-zero-uuid-ok",
         {"00000000:1B:00.0 Completed/Success 0 " + k_zero + " ",
          "00000000:43:00.0 Completed/Success 0 " + k_zero + " "},
         "NVIDIA H100 80GB HBM3"},
        {"fabric-gb200-insufficient-resources",
         {"00000008:01:00.0" + full,
          "00000009:01:00.0" + full,
          "00000018:01:00.0" + full,
          "00000019:01:00.0" + full},
         "NVIDIA GB200"},
    }));
    CAPTURE(name);
    const auto gpus = parse_gpu_fabric(captured(name).view());
    REQUIRE(gpus);
    CHECK(fabric(*gpus) == expected);
    CHECK(gpus->front().product == product);
}

std::string gb200(const std::string& bus, const std::string& health) {
    return "GPU " + bus +
           "\n"
           "    Product Name                          : NVIDIA GB200\n"
           "    GPU Virtualization Mode\n"
           "        Virtualization Mode               : None\n"
           "        State                             : Elsewhere\n"
           "    Fabric\n"
           "        State                             : Completed\n"
           "        Status                            : Success\n"
           "        CliqueId                          : 32766\n"
           "        ClusterUUID                       : 6d8cd1a1-31c2-4ab4-8d2b-36d2e8b0d39c\n"
           "        Health\n" +
           health +
           "    Processes                             : None\n"
           "    Capabilities\n"
           "        Status                            : Elsewhere\n";
}

TEST_CASE("nvidia-smi -q: health by its summary, or by its bad items") {
    const std::string indent(12, ' ');

    struct Case {
        std::string block;
        std::string health;
    };

    const auto& [block, health] = GENERATE_COPY(values<Case>({
        {indent + "Summary : Healthy\n" + indent + "Bandwidth : Full\n", "Healthy"},
        {indent + "Summary : Unhealthy\n" + indent + "Bandwidth : Degraded\n", "Unhealthy"},
        {indent + "Summary : Limited Capacity\n" + indent + "Incorrect Configuration : None\n",
         "Limited Capacity"},
        {indent + "Bandwidth : Full\n" + indent + "Route Unhealthy : True\n" + indent +
             "Access Timeout Recovery : False\n",
         "Route Unhealthy: True"},
        {indent + "Bandwidth : Degraded\n" + indent + "Route Unhealthy : True\n",
         "Bandwidth: Degraded, Route Unhealthy: True"},
        {indent + "Bandwidth : Full\n" + indent + "Route Recovery in progress : False\n",
         "Healthy"},
        {indent + "Summary : N/A\n" + indent + "Bandwidth : N/A\n", ""},
        {"", ""},
    }));
    CAPTURE(block);
    const auto gpus = parse_gpu_fabric(printed(gb200("00000008:01:00.0", block)).view());
    REQUIRE(gpus);
    CHECK(fabric(*gpus) == Lines{"00000008:01:00.0 Completed/Success 32766 "
                                 "6d8cd1a1-31c2-4ab4-8d2b-36d2e8b0d39c " +
                                 health});
}

TEST_CASE("nvidia-smi -q: lines that a filter kept are enough") {
    const std::string section = "    Fabric\n        State : In Progress\n        Status : N/A\n";
    const auto named = parse_gpu_fabric(
        printed("GPU 00000000:1B:00.0\n" + section + "--\nGPU 00000000:43:00.0\n" + section)
            .view());
    REQUIRE(named);
    CHECK(fabric(*named) ==
          Lines{"00000000:1B:00.0 In Progress/N/A -  ", "00000000:43:00.0 In Progress/N/A -  "});
    const auto unnamed = parse_gpu_fabric(printed(section + "--\n" + section).view());
    REQUIRE(unnamed);
    CHECK(fabric(*unnamed) == Lines{" In Progress/N/A -  ", " In Progress/N/A -  "});
    const auto trimmed = parse_gpu_fabric(
        printed(with_crlf("GPU 00000000:1B:00.0\nFabric\nState\t: Not Started\nStatus : N/A\n"
                          "Processes : None\nState : Elsewhere\n"))
            .view());
    REQUIRE(trimmed);
    CHECK(fabric(*trimmed) == Lines{"00000000:1B:00.0 Not Started/N/A -  "});
}

TEST_CASE("nvidia-smi -q: GPUs that are announced and not shown have no state") {
    const auto gpus = parse_gpu_fabric(
        printed("Attached GPUs : 4\nGPU 00000000:1B:00.0\n    Fabric\n        State : Comp")
            .view());
    REQUIRE(gpus);
    CHECK(fabric(*gpus) == Lines{"00000000:1B:00.0 / -  ", " / -  ", " / -  ", " / -  "});
    const auto hostile =
        parse_gpu_fabric(printed("Attached GPUs : 99999999999\nGPU 00000000:1B:00.0\n").view());
    REQUIRE(hostile);
    CHECK(hostile->size() <= 64);
}

TEST_CASE("nvidia-smi -q: cut anywhere, no value differs from the whole's") {
    const std::string out = gb200("00000008:01:00.0", "            Summary : Healthy\n") +
                            gb200("00000009:01:00.0", "");
    const auto whole = parse_gpu_fabric(printed(out).view());
    const auto same_or_empty = [](const std::string& part, const std::string& full) {
        return part.empty() || part == full;
    };
    for_each_prefix(out, [&](const Captured& cut) {
        const auto part = parse_gpu_fabric(cut.view());
        if (!part) {
            return;
        }
        REQUIRE(part->size() <= whole->size());
        for (std::size_t i = 0; i < part->size(); ++i) {
            CHECK(same_or_empty(part->at(i).pci, whole->at(i).pci));
            CHECK(same_or_empty(part->at(i).product, whole->at(i).product));
            CHECK(same_or_empty(part->at(i).state, whole->at(i).state));
            CHECK(same_or_empty(part->at(i).status, whole->at(i).status));
            CHECK(same_or_empty(part->at(i).cluster_uuid, whole->at(i).cluster_uuid));
            CHECK((!part->at(i).clique || part->at(i).clique == whole->at(i).clique));
        }
    });
}

} // namespace
} // namespace di::parse
