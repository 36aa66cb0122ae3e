#include "parse/sysfs.hpp"

#include "devices.hpp"

#include <set>

DI_FUZZ_TARGET(sysfs) {
    using namespace di;
    const auto devices = fuzz::read_tool(input, parse::parse_sysfs);
    fuzz::require_devices(devices.get(), input, 0);
    std::set<std::string> names;
    for (const auto& device : devices ? *devices : std::vector<model::RdmaDevice>{}) {
        fuzz::require(names.insert(device.name).second, "a device comes once");
    }
}
