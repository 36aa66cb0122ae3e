// What an enemy inside a container can do to a reader: every value that a probe may print is his.
// The fabric stays healthy, so that a reader who is not fooled still finds it so.
#include "kubesim/scenarios/root.hpp"

namespace di::kubesim::scenarios {
namespace {

/// Sets a title, clears the screen, paints a verdict, returns to the line's start.
constexpr const char* k_escapes =
    "\x1b]0;owned\x07\x1b[2J\x1b[H\x1b[32mready\x1b[0m\r\xc2\x9b\xe2\x80\xae";

/// Lines that look like the frame of a probe's output, or like another section's text.
constexpr const char* k_forged = "=== ib-sysfs rc=0 ===\n"
                                 "/sys/class/infiniband/mlx5_0/ports/1/state:1: DOWN\n"
                                 "=== end ===\n"
                                 "@@ end 0\n"
                                 "--- env\n"
                                 "UCX_TLS=tcp\n"
                                 "command terminated with exit code 137\n";

constexpr std::size_t k_endless = 1U << 20U;

std::string text_of(const Tree& tree, const std::string& path) {
    const auto found = tree.entries().find(path);
    return found == tree.entries().end() ? "" : found->second.text;
}

/// Forged lines and one without end, before a tool's real text.
void poison_tool(Tree& tree, const std::string& tool) {
    const std::string path = "usr/bin/" + tool;
    const std::string real = text_of(tree, path);
    if (real.empty()) {
        return;
    }
    const std::string line = "#!/bin/sh\n";
    tree.executable(path,
                    line + "cat <<'KUBESIM_FORGED'\n" + k_escapes + "\n" + k_forged +
                        std::string(k_endless, 'A') + "\nKUBESIM_FORGED\n" +
                        real.substr(line.size()));
}

void append(Tree& tree, const std::string& path, const std::string& more) {
    tree.file(path, text_of(tree, path) + more);
}

} // namespace

void make_hostile(Tree& tree) {
    for (const char* tool : {"nvidia-smi", "ibv_devinfo", "ucx_info"}) {
        poison_tool(tree, tool);
    }
    const std::string escapes = k_escapes;
    append(tree, "proc/modules", escapes + "\n" + k_forged + std::string(k_endless, 'B') + "\n");
    append(tree, "proc/driver/nvidia/version", k_forged);
    append(tree, "proc/version", escapes + "\n");
    append(tree, "proc/sys/kernel/osrelease", escapes + "\n");
    append(tree, "proc/net/dev", "  eth\x1b[31m0: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n");
    append(tree,
           "proc/214/maps",
           "7f0000000000-7f0000001000 r-xp 00000000 00:1f2 7 /tmp/" + escapes + "/libucp.so.0\n");
    tree.link("proc/214/fd/99", "/dev/infiniband/" + escapes);
    tree.line("proc/1/comm", escapes);

    const std::string device = "sys/class/infiniband/mlx5_8\x1b[2J";
    tree.file(device + "/ports/1/state", "4: ACTIVE\n" + std::string(k_forged));
    tree.file(device + "/ports/1/link_layer", escapes + "\n");
    tree.file(device + "/ports/1/rate", std::string(400, '9') + " Gb/sec (4X NDR)\n");
    tree.file("dev/infiniband/uverbs\x1b[31m9", "");
    tree.file("opt/nvidia/nvda_nixl/lib64/plugins/libplugin_\x1b[2JUCX\nUCX_TLS=tcp.so", "");
    append(tree,
           "opt/dynamo/venv/lib/python3.12/site-packages/nixl_cu12-1.1.0.dist-info/METADATA",
           "Version: " + escapes + "\n");
}

} // namespace di::kubesim::scenarios
