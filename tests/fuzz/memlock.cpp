#include "parse/memlock.hpp"

#include "tool_input.hpp"

DI_FUZZ_TARGET(memlock) {
    using namespace di;
    for (auto* const parse : {parse::parse_ulimit_memlock, parse::parse_limits_memlock}) {
        const auto limit = fuzz::read_tool(input, parse);
        fuzz::require(!limit || !limit->unlimited || limit->bytes == 0,
                      "no number beside 'unlimited'");
        fuzz::require(!limit || input.find_first_of("0123456789u") != std::string_view::npos,
                      "a limit was printed");
    }
}
