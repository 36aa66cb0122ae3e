#include "parse/host_facts.hpp"

#include "tool_input.hpp"

namespace {

void require_nodes(const std::vector<di::model::DeviceNode>& nodes, std::string_view input) {
    di::fuzz::require(nodes.size() <= di::fuzz::most_lines(input), "no more nodes than lines");
    for (const auto& node : nodes) {
        di::fuzz::require(node.path.starts_with("/dev/"), "a node is below /dev");
    }
}

} // namespace

DI_FUZZ_TARGET(host_facts) {
    using namespace di;
    const auto read = [&](auto parse) {
        auto once = parse(input);
        fuzz::require_seen(once, parse(input));
        return once;
    };
    if (const auto kernel = read(parse::parse_kernel)) {
        fuzz::require(kernel->major >= 0 && kernel->major <= 99 && kernel->minor >= 0 &&
                          kernel->minor <= 999,
                      "a kernel's version is small numbers");
    }
    if (const auto driver = read(parse::parse_driver)) {
        fuzz::require(driver->version.find_first_not_of("0123456789.") == std::string::npos &&
                          !driver->version.empty(),
                      "a driver has a version");
    }
    read(parse::parse_peer_memory);
    if (const auto nodes = read(parse::parse_verbs_nodes)) {
        require_nodes(*nodes, input);
    }
    if (const auto gdrdrv = read(parse::parse_gdrdrv); gdrdrv && *gdrdrv) {
        require_nodes({**gdrdrv}, input);
    }
    if (const auto channels = read(parse::parse_imex_channels)) {
        fuzz::require(channels->size() <= fuzz::most_lines(input), "no more channels than lines");
    }
    if (const auto netdevs = read(parse::parse_netdevs)) {
        fuzz::require(!netdevs->empty(), "a network namespace has an interface");
    }
}
