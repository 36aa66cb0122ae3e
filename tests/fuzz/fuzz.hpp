// A fuzz target: promises of one pure function that hold for any bytes.
//
// Each file here holds one target. Two programs run them: libFuzzer's own main (preset `fuzz`,
// `./dev fuzz`), one program a target, and replay.cpp, which ctest runs over the seeds with any
// compiler.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace di::fuzz {

struct Target {
    std::string_view name;
    void (*run)(std::string_view input);
};

/// All targets that are linked into this program.
inline std::vector<Target>& targets() {
    static std::vector<Target> k_targets;
    return k_targets;
}

struct Registered {
    Registered(std::string_view name, void (*run)(std::string_view)) {
        targets().push_back({name, run});
    }
};

/// Ends the program when a promise does not hold.
inline void require(bool holds, std::string_view promise) {
    if (!holds) {
        std::fprintf(
            stderr, "broken promise: %.*s\n", static_cast<int>(promise.size()), promise.data());
        std::abort();
    }
}

} // namespace di::fuzz

/// Defines the target `name`; its body sees `input`.
#define DI_FUZZ_TARGET(name)                                                                       \
    static void fuzz_##name(std::string_view input);                                               \
    static const ::di::fuzz::Registered k_registered_##name(#name, fuzz_##name);                   \
    static void fuzz_##name(std::string_view input)
