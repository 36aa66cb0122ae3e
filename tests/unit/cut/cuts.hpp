// Where texts are cut in the tests of this folder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

namespace di::test {

/// Every byte up to 8 KiB; beyond that every line end and its neighbours, and every 97th byte.
inline std::set<std::size_t> cuts_of(std::string_view text) {
    constexpr std::size_t k_every_byte = 8192;
    constexpr std::size_t k_stride = 97;
    std::set<std::size_t> cuts;
    for (std::size_t size = 0; size < std::min(text.size(), k_every_byte); ++size) {
        cuts.insert(size);
    }
    for (std::size_t size = k_every_byte; size < text.size(); ++size) {
        const auto around = text.substr(size - 1, 3);
        if (size % k_stride == 0 || around.find('\n') != std::string_view::npos) {
            cuts.insert(size);
        }
    }
    return cuts;
}

} // namespace di::test
