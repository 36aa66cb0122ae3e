#include "parse/topology.hpp"

#include "tool_input.hpp"

DI_FUZZ_TARGET(topology) {
    using namespace di;
    const auto seen = fuzz::read_tool(input, parse::parse_topology);
    if (!seen) {
        return;
    }
    const auto gpus = static_cast<std::size_t>(seen->gpus);
    fuzz::require(!seen->fault || (gpus == 0 && seen->cells.empty()), "a fault shows no GPU");
    fuzz::require(seen->fault || gpus > 0, "without a fault there is a GPU");
    fuzz::require(seen->cells.size() == gpus, "a row for each GPU");
    for (std::size_t row = 0; row < gpus; ++row) {
        fuzz::require(seen->cells[row].size() == gpus, "a cell for each pair");
        fuzz::require(seen->cells[row][row] == "X", "X on the diagonal");
    }
    fuzz::require(seen->nics.size() <= fuzz::most_words(input), "no more NICs than words");
}
