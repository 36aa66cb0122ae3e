#include "base/strings.hpp"
#include "kubesim/scenarios/parts.hpp"
#include "kubesim/scenarios/tools.hpp"
#include "written.hpp"

#include <catch2/catch.hpp>

using namespace di::kubesim::scenarios;
using namespace di::kubesim::scenarios::test;

namespace {

Ran tool(const Host& host, const char* name, const char* arguments) {
    return run(tool_script(name, prefill(host), "seed"), arguments);
}

std::size_t occurrences(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos;
         at = text.find(part, at + part.size())) {
        ++count;
    }
    return count;
}

} // namespace

TEST_CASE("a tool answers the arguments it knows and ends the others as the real one does") {
    struct Case {
        const char* tool;
        const char* arguments;
        int code;
        const char* shows;
    };

    const Case cases[] = {
        {"nvidia-smi", "topo -m", 0, "NIC Legend:\n\n  NIC0: mlx5_0\n"},
        {"nvidia-smi", "nvlink --status", 0, "\t Link 17: 26.562 GB/s\n"},
        {"nvidia-smi", "nvlink -s", 0, "GPU 3: NVIDIA H100 80GB HBM3 (UUID: GPU-"},
        {"nvidia-smi", "-q", 0, "        ClusterUUID                       : 00000000-"},
        {"nvidia-smi", "-L", 0, "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-"},
        {"nvidia-smi", "-pm 1", 2, "Invalid combination of input arguments"},
        {"ibv_devinfo", "", 0, "\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n"},
        {"ibv_devinfo", "-l", 0, "8 HCAs found:\n\tmlx5_0\n"},
        {"ibv_devinfo", "-x", 255, "Usage: ibv_devinfo"},
        {"ibstat", "", 0, "CA 'mlx5_0'\n\tCA type: MT4129\n"},
        {"ibstat", "mlx5_99", 255, "No such device"},
        {"ucx_info", "-v", 0, "# Library version: 1.20.0\n"},
        {"ucx_info", "-d", 0, "#      Transport: rc_mlx5\n#         Device: mlx5_0:1\n"},
        {"ucx_info", "--wrong", 255, "Usage: ucx_info"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.tool, c.arguments);
        const auto ran = tool(h100_infiniband(), c.tool, c.arguments);
        CHECK(ran.code == c.code);
        CHECK(di::contains(ran.out, c.shows));
    }
}

TEST_CASE("a tool that the vocabulary does not know is no script") {
    CHECK(tool_script("perftest", prefill(h100_infiniband()), "seed").empty());
}

TEST_CASE("GPUs and NICs are as many as the host has") {
    const auto topo = nvidia_smi_topo(h100_infiniband(), "seed");
    CHECK(occurrences(topo, "\nGPU") == 4);
    CHECK(occurrences(topo, "NV18") == 12);
    CHECK(occurrences(topo, "  NIC") == 8);
    CHECK(occurrences(nvidia_smi_query(h100_infiniband(), "seed"), "    Fabric\n") == 4);
    CHECK(occurrences(nvidia_smi_nvlink(h100_infiniband(), "seed"), " Link ") == 72);
}

TEST_CASE("rows of the topology have as many cells as its header") {
    for (const auto& host : {h100_infiniband(), p5_efa(), gb200_tray()}) {
        const auto text = nvidia_smi_topo(host, "seed");
        const auto rows = di::lines(text);
        const auto columns = di::split(rows[0], '\t').size();
        for (std::size_t i = 1; i < rows.size() && !rows[i].empty(); ++i) {
            // The header lacks the blank column between NUMA and GPU NUMA ID that the rows have.
            CHECK(di::split(rows[i], '\t').size() == columns + 1);
        }
    }
}

TEST_CASE("libibverbs lists the devices that can be opened, ibstat the host's") {
    CHECK(di::contains(ibv_devinfo_list(p5_efa(), "seed"), "16 HCAs found:\n\trdmap79s0\n"));
    Host host = h100_infiniband();
    host.rdma.granted = 1;
    CHECK(di::contains(ibv_devinfo_list(host, "seed"), "1 HCA found:\n"));
    CHECK(occurrences(ibv_devinfo(host, "seed"), "hca_id:") == 1);
    CHECK(occurrences(ibstat(host, "seed"), "CA 'mlx5_") == 8);
    host.rdma.granted = 0;
    CHECK(di::contains(ibv_devinfo_list(host, "seed"), "0 HCAs found:\n"));
}

TEST_CASE("every tool words a port's state its own way") {
    struct Case {
        const char* state;
        const char* verbs;
        const char* ibstat;
    };

    const Case cases[] = {{"4: ACTIVE", "PORT_ACTIVE (4)", "State: Active\n"},
                          {"3: ARMED", "PORT_ARMED (3)", "State: Armed\n"},
                          {"2: INIT", "PORT_INIT (2)", "State: Initializing\n"},
                          {"1: DOWN", "PORT_DOWN (1)", "State: Down\n"},
                          {"", "PORT_DOWN (1)", "State: Down\n"}};
    for (const auto& c : cases) {
        CAPTURE(c.state);
        Host host = h100_infiniband();
        host.rdma.state = c.state;
        CHECK(di::contains(ibv_devinfo(host, "seed"), c.verbs));
        CHECK(di::contains(ibstat(host, "seed"), c.ibstat));
    }
}

TEST_CASE("UCX offers no RDMA transport on ports that are not active, nor on EFA") {
    Host host = h100_infiniband();
    CHECK(di::contains(ucx_info_devices(prefill(host), "seed"), "Transport: rc_mlx5"));
    host.rdma.state = "2: INIT";
    CHECK_FALSE(di::contains(ucx_info_devices(prefill(host), "seed"), "Transport: rc_mlx5"));
    CHECK_FALSE(di::contains(ucx_info_devices(prefill(p5_efa()), "seed"), "Transport: rc_mlx5"));
}

TEST_CASE("a GB200 tray is in a NVLink domain, an HGX board in none") {
    CHECK(di::contains(nvidia_smi_query(gb200_tray(), "seed"),
                       "CliqueId                          : 32766\n"));
    CHECK(di::contains(nvidia_smi_query(gb200_tray(), "seed"),
                       "Bandwidth                     : Full\n"));
    CHECK(di::contains(nvidia_smi_query(h100_infiniband(), "seed"), "GPU 00000000:1B:00.0\n"));
    Host host = h100_infiniband();
    host.gpus.fabric_state = "N/A";
    host.gpus.fabric_status = "N/A";
    CHECK(
        di::contains(nvidia_smi_query(host, "seed"), "ClusterUUID                       : N/A\n"));
}
