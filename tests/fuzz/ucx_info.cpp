#include "parse/ucx_info.hpp"

#include "tool_input.hpp"

DI_FUZZ_TARGET(ucx_info) {
    using namespace di;
    const auto build = fuzz::read_tool(input, parse::parse_ucx_version);
    fuzz::require(!build || !build->version.empty(), "a build has a version");

    const auto devices = fuzz::read_tool(input, parse::parse_ucx_devices);
    if (!devices) {
        return;
    }
    fuzz::require(!devices->domains.empty(), "no domain is no fact");
    std::size_t lines = devices->domains.size();
    for (const auto& domain : devices->domains) {
        lines += domain.transports.size();
        fuzz::require(domain.opened || (domain.transports.empty() && domain.memory_types.empty()),
                      "a domain that did not open shows nothing");
        fuzz::require(domain.memory_types.size() <= fuzz::most_words(input),
                      "no more memory types than words");
    }
    fuzz::require(lines <= fuzz::most_lines(input), "a line for each domain and transport");
}
