#include "parse/nvlink.hpp"

#include "tool_input.hpp"

#include <cmath>

DI_FUZZ_TARGET(nvlink) {
    using namespace di;
    const auto gpus = fuzz::read_tool(input, parse::parse_nvlink_status);
    if (!gpus) {
        return;
    }
    std::size_t links = 0;
    for (const auto& gpu : *gpus) {
        links += static_cast<std::size_t>(gpu.links);
        fuzz::require(gpu.index >= 0 && gpu.index < 1024, "a GPU has an index");
        fuzz::require(gpu.inactive.size() <= static_cast<std::size_t>(gpu.links),
                      "no more inactive links than links");
        fuzz::require(!gpu.gbytes_per_s ||
                          (std::isfinite(*gpu.gbytes_per_s) && *gpu.gbytes_per_s >= 0),
                      "a rate is a number that is not negative");
    }
    fuzz::require(gpus->size() + links <= fuzz::most_lines(input), "a line for each GPU and link");
}
