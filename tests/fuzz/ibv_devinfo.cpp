#include "parse/ibv_devinfo.hpp"

#include "devices.hpp"

DI_FUZZ_TARGET(ibv_devinfo) {
    using namespace di;
    const auto devices = fuzz::read_tool(input, parse::parse_ibv_devinfo);
    fuzz::require_devices(devices.get(), input, 8);

    const auto names = fuzz::read_tool(input, parse::parse_ibv_devinfo_list);
    for (const auto& name : names ? *names : std::vector<std::string>{}) {
        fuzz::require(!name.empty(), "a device of the list has a name");
    }
    fuzz::require(!names || names->size() <= fuzz::most_lines(input), "no more names than lines");
}
