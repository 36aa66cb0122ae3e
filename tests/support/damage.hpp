// Text damaged at random places: the same damage on every run, machine and compiler.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace di::test {

class Damage {
public:
    explicit Damage(std::uint32_t seed)
        : state_(seed * 2654435761U | 1U) {}

    /// Six times over: a byte changed, a piece lost, a piece twice, or a sign of some format.
    std::string apply(std::string text) {
        for (int i = 0; i < 6 && !text.empty(); ++i) {
            const std::size_t at = next(text.size());
            switch (next(4)) {
            case 0:
                text[at] = static_cast<char>(next(256));
                break;
            case 1:
                text.erase(at, 1 + next(40));
                break;
            case 2: {
                const std::size_t from = next(text.size());
                text.insert(at, text.substr(from, next(200)));
                break;
            }
            default:
                text.insert(at, 1, "\n\t:\x1b(')#,"[next(9)]);
                break;
            }
        }
        return text;
    }

private:
    /// xorshift: a number below `end`.
    std::size_t next(std::size_t end) {
        state_ ^= state_ << 13U;
        state_ ^= state_ >> 17U;
        state_ ^= state_ << 5U;
        return state_ % end;
    }

    std::uint32_t state_;
};

} // namespace di::test
