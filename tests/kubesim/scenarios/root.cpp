#include "kubesim/scenarios/root.hpp"

#include "base/strings.hpp"
#include "kubesim/scenarios/tools.hpp"

#include <fmt/format.h>

namespace di::kubesim::scenarios {
namespace {

constexpr const char* k_nixl = "opt/nvidia/nvda_nixl/lib64";

std::string shell_name(Shell shell) {
    constexpr const char* k_names[] = {"full", "busybox", "sh-only", "none"};
    return k_names[static_cast<std::size_t>(shell)];
}

void add_nixl(Tree& tree, const Engine& engine) {
    for (const char* plugin : {"UCX", "POSIX", "GDS"}) {
        tree.file(fmt::format("{}/plugins/libplugin_{}.so", k_nixl, plugin), "");
    }
    tree.file(fmt::format("{}/plugins/libplugin_{}.so", k_nixl, engine.plugin), "");
    tree.file(fmt::format("{}/libnixl.so", k_nixl), "");
    tree.file("opt/dynamo/venv/lib/python3.12/site-packages/nixl_cu12-1.1.0.dist-info/METADATA",
              "Metadata-Version: 2.4\nName: nixl-cu12\nVersion: 1.1.0\nSummary: NIXL Python API\n");
    tree.file("opt/dynamo/venv/lib/python3.12/site-packages/nixl_cu12-1.1.0.dist-info/RECORD", "");
    tree.file("opt/dynamo/venv/lib/python3.12/site-packages/nixl_cu12/__init__.py", "");
}

} // namespace

void add_image(Tree& tree, const Component& component, std::string_view seed) {
    const Image& image = component.image;
    tree.file(".kubesim",
              fmt::format("shell: {}\nuid: {}\n", shell_name(image.shell), component.engine.uid));
    tree.file(
        "etc/os-release",
        "NAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\nID=ubuntu\nPRETTY_NAME=\"Ubuntu 24.04.3 LTS\"\n");
    tree.file("etc/passwd",
              "root:x:0:0:root:/root:/bin/sh\ndynamo:x:1000:1000::/home/dynamo:/bin/sh\n");
    tree.folder("home/dynamo");
    tree.folder("dev/shm");
    tree.folder("usr/bin");
    tree.file("usr/local/ucx/lib/libucp.so.0.0.0", "");
    tree.link("usr/local/ucx/lib/libucp.so.0", "libucp.so.0.0.0");
    add_nixl(tree, component.engine);
    if (component.engine.plugin == "LIBFABRIC") {
        tree.file("opt/amazon/efa/lib/libfabric.so.1.30.1", "");
    }
    for (const auto& tool : image.tools) {
        tree.executable("usr/bin/" + tool, tool_script(tool, component, seed));
    }
}

std::string root_name(const Component& component, int rank) {
    const char* const member = component.nodes == 1 ? "" : rank == 0 ? "-ldr" : "-wkr";
    return to_lower(component.name) + member;
}

Tree make_root(const Scenario& scenario, const Component& component, const Place& place) {
    const std::string seed = scenario.name + "/" + root_name(component, place.rank);
    Tree tree;
    add_image(tree, component, seed);
    add_kernel(tree, component.host, seed);
    add_rdma(tree, component.host, seed);
    add_processes(tree, component, process_environ(scenario, component, place), place.rank);
    if (component.image.hostile) {
        make_hostile(tree);
    }
    return tree;
}

} // namespace di::kubesim::scenarios
