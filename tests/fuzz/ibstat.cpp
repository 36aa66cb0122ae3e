#include "parse/ibstat.hpp"

#include "devices.hpp"

DI_FUZZ_TARGET(ibstat) {
    using namespace di;
    const auto devices = fuzz::read_tool(input, parse::parse_ibstat);
    fuzz::require_devices(devices.get(), input, 8);
}
