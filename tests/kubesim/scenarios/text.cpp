#include "kubesim/scenarios/text.hpp"

#include <fmt/format.h>

namespace di::kubesim::scenarios {
namespace {

// The alphabet of k8s.io/apimachinery's rand.String: no vowels, no look-alikes.
constexpr std::string_view k_letters = "bcdfghjklmnpqrstvwxz2456789";

std::string letters(std::uint64_t value, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += k_letters[value % k_letters.size()];
        value /= k_letters.size();
    }
    return text;
}

} // namespace

std::uint64_t hash(std::string_view seed) {
    std::uint64_t value = 14695981039346656037ULL;
    for (const char c : seed) {
        value = (value ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    }
    // FNV-1a leaves the high bits of texts alike that differ in their last letter: mix them.
    value = (value ^ (value >> 33U)) * 0xff51afd7ed558ccdULL;
    value = (value ^ (value >> 33U)) * 0xc4ceb9fe1a85ec53ULL;
    return value ^ (value >> 33U);
}

std::string hex(std::string_view seed, std::size_t digits) {
    std::string text;
    for (int part = 0; text.size() < digits; ++part) {
        text += fmt::format("{:016x}", hash(fmt::format("{}/{}", part, seed)));
    }
    return text.substr(0, digits);
}

std::string uuid(std::string_view seed) {
    const std::string digits = hex(seed, 32);
    return fmt::format("{}-{}-4{}-a{}-{}",
                       digits.substr(0, 8),
                       digits.substr(8, 4),
                       digits.substr(12, 3),
                       digits.substr(15, 3),
                       digits.substr(18, 12));
}

std::string pod_suffix(std::string_view seed, std::size_t index) {
    // An odd step that is no multiple of 3 walks through all 27^5 words before one comes twice.
    constexpr std::uint64_t k_step = 7368787;
    constexpr std::uint64_t k_words = 27ULL * 27 * 27 * 27 * 27;
    return letters((hash(seed) % k_words + index * k_step) % k_words, 5);
}

std::string template_hash(std::string_view seed) {
    return letters(hash(seed), 10);
}

std::string to_string(Role role) {
    constexpr const char* k_names[] = {"prefill", "decode", "worker"};
    return k_names[static_cast<std::size_t>(role)];
}

} // namespace di::kubesim::scenarios
