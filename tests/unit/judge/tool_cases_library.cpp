#include "tool_cases.hpp"

namespace di::test {
namespace {

using model::Status;

std::string domain(const std::string& name,
                   const std::string& component,
                   const std::string& memory,
                   const std::string& transport,
                   const std::string& device) {
    return "#\n# Memory domain: " + name + "\n#     Component: " + component +
           "\n#             register: unlimited, cost: 0 nsec\n" +
           (memory.empty() ? "" : "#         memory types: " + memory + "\n") +
           "#\n#      Transport: " + transport + "\n#         Device: " + device +
           "\n#           Type: network\n";
}

const std::string k_both = "host (access,reg,cache), cuda (access,reg,cache)";
const std::string k_host = "host (access,reg,cache)";
const std::string k_tcp = domain("tcp", "tcp", "host (access)", "tcp", "eth0");
const std::string k_cuda = domain("cuda_cpy", "cuda_cpy", "cuda (access)", "cuda_copy", "cuda") +
                           domain("cuda_ipc", "cuda_ipc", "cuda (access)", "cuda_ipc", "cuda");
const std::string k_hca = domain("mlx5_0", "ib", k_both, "rc_mlx5", "mlx5_0:1");
const std::string k_closed = "# < failed to open memory domain mlx5_1 >\n";

std::vector<ToolCase> ucx_cases() {
    return {
        {"ucx-devices", "rc and CUDA", Status::ok, k_tcp + k_cuda + k_hca},
        {"ucx-devices",
         "EFA by srd",
         Status::ok,
         k_cuda + domain("rdmap79s0", "ib", k_both, "srd", "rdmap79s0:1")},
        {"ucx-devices",
         "host memory only",
         Status::warn,
         k_cuda + domain("mlx5_0", "ib", k_host, "rc_mlx5", "mlx5_0:1"),
         "host memory only"},
        {"ucx-devices",
         "one of two HCAs with host memory only",
         Status::warn,
         k_cuda + k_hca + domain("mlx5_1", "ib", k_host, "rc_mlx5", "mlx5_1:1"),
         "1 of 2"},
        {"ucx-devices",
         "an old UCX that shows no memory types",
         Status::warn,
         k_cuda + domain("mlx5_0", "ib", "", "rc_mlx5", "mlx5_0:1"),
         "not shown"},
        {"ucx-devices",
         "no cuda_ipc",
         Status::warn,
         domain("cuda_cpy", "cuda_cpy", "cuda (access)", "cuda_copy", "cuda") + k_hca,
         "cuda_ipc"},
        {"ucx-devices", "one domain does not open", Status::warn, k_cuda + k_hca + k_closed},
        {"ucx-devices", "no domain opens", Status::fail, k_tcp + k_cuda + k_closed, "mlx5_1"},
        {"ucx-devices", "cut before any HCA", Status::skipped, k_tcp + "# Memory dom", "too early"},
        {"ucx-devices", "RDMA without CUDA", Status::fail, k_tcp + k_hca, "CUDA"},
        {"ucx-devices", "TCP beside CUDA", Status::fail, k_tcp + k_cuda, "no RDMA"},
        {"ucx-devices",
         "UD alone",
         Status::warn,
         k_cuda + domain("mlx5_0", "ib", k_both, "ud_verbs", "mlx5_0:1"),
         "UD"},
        {"ucx-devices",
         "a library is missing",
         Status::skipped,
         "",
         "",
         "ucx_info: error while loading shared libraries: libucp.so.0: cannot open shared object "
         "file: No such file or directory\ncommand terminated with exit code 127\n",
         127},
        {"ucx-version",
         "1.20 with both",
         Status::ok,
         "# Library version: 1.20.0\n# Configured with: --with-cuda=/usr/local/cuda "
         "--with-verbs\n"},
        {"ucx-version",
         "1.13 of a distribution",
         Status::warn,
         "# Version 1.13.1\n# Git branch '', revision 0000000\n# Configured with: --with-verbs\n",
         "CUDA"},
        {"ucx-version",
         "CUDA switched off",
         Status::warn,
         "# Library version: 1.19.0\n# Configured with: --with-cuda=no --with-verbs\n"},
        {"ucx-version", "another tool", Status::skipped, "ucx_perftest 1.19\n"},
    };
}

std::vector<ToolCase> limit_cases() {
    return {
        {"memlock", "unlimited", Status::ok, "unlimited\n"},
        {"memlock", "no final newline", Status::ok, "unlimited"},
        {"memlock", "2^63 bytes", Status::ok, "9007199254740991\n"},
        {"memlock", "more than 64 bits of bytes", Status::ok, "18014398509481983\n"},
        {"memlock", "a number beyond all", Status::ok, "99999999999999999999999\n"},
        {"memlock", "an eighth of a large node", Status::warn, "263882790\n"},
        {"memlock", "zero", Status::warn, "0\n"},
        {"memlock",
         "not run in a shell",
         Status::skipped,
         "OCI runtime exec failed: exec failed: unable to start container process: exec: "
         "\"ulimit\": executable file not found in $PATH: unknown\n",
         "",
         "command terminated with exit code 126\n",
         126},
        {"nixl-tools",
         "one tool, bash",
         Status::ok,
         "/opt/nvidia/nvda_nixl/bin/nixlbench\n",
         "nixlbench"},
        {"nixl-tools", "a directory alone", Status::warn, "bin\nlib\n"},
        {"nixl-tools", "another text", Status::skipped, "hello, how are you\n"},
        {"nixl-plugins",
         "LIBFABRIC alone",
         Status::ok,
         "libplugin_LIBFABRIC.so\nlibplugin_GDS.so\n"},
        {"nixl-plugins",
         "the long form",
         Status::ok,
         "total 4\n-rwxr-xr-x 1 root root 100 Oct  7 09:41 libplugin_UCX.so\n"},
        {"nixl-plugins", "storage only", Status::fail, "libplugin_GDS.so\nlibplugin_POSIX.so\n"},
        {"nixl-plugins", "an empty directory", Status::fail, ""},
        {"nixl-plugins", "Mooncake only", Status::warn, "libplugin_Mooncake.so\n"},
        {"nixl-plugins", "a backup file is no plugin", Status::fail, "libplugin_UCX.so.bak\n"},
        {"nixl-plugins",
         "no such directory",
         Status::warn,
         "",
         "elsewhere",
         "ls: cannot access '/opt/nixl/plugins': No such file or directory\n",
         2},
        {"nixl-plugins",
         "not permitted",
         Status::skipped,
         "",
         "",
         "ls: cannot open directory '/opt/nixl/plugins': Permission denied\n",
         2},
    };
}

std::vector<ToolCase> environment_cases() {
    return {
        {"env", "nothing set", Status::ok, ""},
        {"env",
         "a healthy list",
         Status::ok,
         "UCX_TLS=rc,cuda_copy,cuda_ipc\nUCX_NET_DEVICES=all\n"},
        {"env", "HCAs by name", Status::ok, "UCX_NET_DEVICES=mlx5_0:1,mlx5_1:1\n"},
        {"env", "TCP only", Status::fail, "UCX_TLS=tcp,cuda_copy\n", "keeps KV on TCP"},
        {"env", "no RDMA for a deny list", Status::fail, "UCX_TLS=^ib\n"},
        {"env", "no CUDA", Status::fail, "UCX_TLS=rc,tcp\n", "cuda_copy"},
        {"env", "a typo that drops RDMA", Status::fail, "UCX_TLS=rc_mlx,tcp,cuda\n", "rc_mlx"},
        {"env", "quotes that became part of the value", Status::fail, "UCX_TLS=\"rc,cuda_copy\"\n"},
        {"env",
         "multi-node NVLink",
         Status::ok,
         "UCX_TLS=cuda_copy,cuda_ipc,tcp\nUCX_CUDA_IPC_ENABLE_MNNVL=y\n"},
        {"env", "network interfaces only", Status::fail, "UCX_NET_DEVICES=eth0\n"},
        {"env", "GPUDirect switched off", Status::fail, "UCX_IB_GPU_DIRECT_RDMA=no\n"},
        {"env", "GPUDirect left to UCX", Status::ok, "UCX_IB_GPU_DIRECT_RDMA=try\n"},
        {"env", "libfabric on TCP", Status::fail, "FI_PROVIDER=tcp\n"},
        {"env", "EFA", Status::ok, "FI_PROVIDER=efa\nFI_EFA_USE_DEVICE_RDMA=1\n"},
        {"env",
         "EFA with emulated reads",
         Status::fail,
         "FI_PROVIDER=efa\nFI_EFA_USE_DEVICE_RDMA=0\n"},
        {"env",
         "UCX_TLS does not matter to LIBFABRIC",
         Status::ok,
         "SGLANG_DISAGGREGATION_NIXL_BACKEND=LIBFABRIC\nUCX_TLS=tcp\nFI_PROVIDER=efa\n"},
        {"env", "Mooncake forced to TCP, whatever the value", Status::fail, "MC_FORCE_TCP=0\n"},
        {"env",
         "a side channel nobody reaches",
         Status::fail,
         "VLLM_NIXL_SIDE_CHANNEL_HOST=127.0.0.1\n"},
        {"env", "NCCL alone never blocks", Status::warn, "NCCL_IB_DISABLE=1\n", "not KV"},
        {"env", "exported by bash", Status::fail, "declare -x UCX_TLS=\"tcp\"\n"},
        {"env", "exported by dash", Status::fail, "export UCX_TLS='tcp'\nexport HOME='/root'\n"},
        {"env", "no variables at all", Status::skipped, "this is no environment\n"},
    };
}

} // namespace

std::vector<ToolCase> library_cases() {
    auto cases = ucx_cases();
    for (const auto& more : {limit_cases(), environment_cases()}) {
        cases.insert(cases.end(), more.begin(), more.end());
    }
    return cases;
}

} // namespace di::test
