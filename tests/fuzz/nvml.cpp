#include "parse/nvml.hpp"

#include "base/strings.hpp"
#include "tool_input.hpp"

DI_FUZZ_TARGET(nvml) {
    using namespace di;
    const auto fault = parse::gpu_fault(fuzz::tool_output(input));
    fuzz::require(fault == parse::gpu_fault(fuzz::tool_output(input)),
                  "the same text reads the same");
    if (fault) {
        fuzz::require(!fault->reason.empty() && !fault->text.empty(), "a fault has its words");
        fuzz::require(printable(fault->text) == fault->text, "a fault's words can be printed");
    }
}
