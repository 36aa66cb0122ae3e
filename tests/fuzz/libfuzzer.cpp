// libFuzzer's door: this program holds one target.
#include "fuzz.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    di::fuzz::targets().front().run({reinterpret_cast<const char*>(data), size});
    return 0;
}
