#include "parse/fabric.hpp"

#include "tool_input.hpp"

DI_FUZZ_TARGET(fabric) {
    using namespace di;
    constexpr std::size_t k_most_announced = 64;
    const auto gpus = fuzz::read_tool(input, parse::parse_gpu_fabric);
    if (!gpus) {
        return;
    }
    fuzz::require(!gpus->empty(), "the section of no GPU is no fact");
    fuzz::require(gpus->size() <= fuzz::most_lines(input) + k_most_announced,
                  "no more GPUs than lines, and those announced");
    for (const auto& gpu : *gpus) {
        const bool any_line = !gpu.state.empty() || !gpu.status.empty() || gpu.clique.has_value() ||
                              !gpu.health.empty();
        fuzz::require(!any_line || !input.empty(), "what is said of a GPU was printed");
        fuzz::require(gpu.state.find('\n') == std::string::npos, "a state is of one line");
    }
}
