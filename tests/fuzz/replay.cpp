// Runs one target over seed files, each as it is and damaged in ways that are the same on every
// run: replay TARGET FILE|DIRECTORY... Without libFuzzer, so that every compiler's build runs it.
#include "fuzz.hpp"
#include "support/damage.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace {

namespace fs = std::filesystem;

/// What is being tried, for the message of a run that dies.
char g_current[512] = "";

extern "C" void tell_input(int signal) {
    [[maybe_unused]] auto written = write(STDERR_FILENO, g_current, std::strlen(g_current));
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// On a block of just that size, so that a read beyond its end is seen by a sanitizer.
void run(const di::fuzz::Target& target, const std::string& text, const fs::path& seed, int round) {
    std::snprintf(g_current,
                  sizeof g_current,
                  "while trying %s, damaged by seed %d (0: as it is)\n",
                  seed.c_str(),
                  round);
    const auto block = std::make_unique<char[]>(text.size());
    std::copy(text.begin(), text.end(), block.get());
    target.run({block.get(), text.size()});
}

std::vector<fs::path> seeds_in(const std::vector<fs::path>& places) {
    std::vector<fs::path> seeds;
    for (const auto& place : places) {
        if (fs::is_directory(place)) {
            for (const auto& entry : fs::directory_iterator(place)) {
                seeds.push_back(entry.path());
            }
        } else {
            seeds.push_back(place);
        }
    }
    std::sort(seeds.begin(), seeds.end());
    return seeds;
}

/// Long seeds get fewer rounds: a replay is a test, not a search.
int rounds_for(std::size_t size) {
    constexpr std::size_t k_bytes = 500'000;
    return static_cast<int>(std::clamp<std::size_t>(k_bytes / (size + 1), 8, 256));
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const auto& targets = di::fuzz::targets();
    const auto target = std::find_if(targets.begin(), targets.end(), [&](const auto& known) {
        return !words.empty() && known.name == words.front();
    });
    if (target == targets.end() || words.size() < 2) {
        std::fprintf(stderr, "usage: replay TARGET FILE|DIRECTORY...\n");
        return 2;
    }
    std::signal(SIGABRT, tell_input);
    std::signal(SIGSEGV, tell_input);
    const auto seeds = seeds_in({words.begin() + 1, words.end()});
    run(*target, "", "(nothing)", 0);
    for (const auto& seed : seeds) {
        std::ifstream file(seed, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        run(*target, text, seed, 0);
        for (int round = 1; round <= rounds_for(text.size()); ++round) {
            run(*target,
                di::test::Damage(static_cast<std::uint32_t>(round)).apply(text),
                seed,
                round);
        }
    }
    std::printf("%zu seeds\n", seeds.size());
    return seeds.empty() ? 1 : 0;
}
