#include "parse/sections.hpp"

#include "fuzz.hpp"
#include "nonce.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace {

/// A view points into the text it was read from.
bool lies_in(std::string_view part, std::string_view whole) {
    const std::less_equal<const char*> before;
    return part.empty() || (before(whole.data(), part.data()) &&
                            before(part.data() + part.size(), whole.data() + whole.size()));
}

} // namespace

DI_FUZZ_TARGET(sections) {
    using namespace di;
    const auto sections = parse::read_sections(input, fuzz::k_nonce);
    std::set<std::string_view> names;
    for (const auto& section : sections.closed) {
        fuzz::require(lies_in(section.text, input) && lies_in(section.name, input),
                      "a section never exceeds the output");
        fuzz::require(names.insert(section.name).second, "a name comes once");
        fuzz::require(sections.find(section.name) == &section, "a section is found by its name");
        fuzz::require(section.text.find(fuzz::k_nonce) == std::string_view::npos ||
                          section.text.find('\n') != std::string_view::npos,
                      "a marker stands on a line of its own");
        fuzz::require(!section.code || (*section.code >= 0 && *section.code <= 255),
                      "an exit code fits a byte");
    }
    for (const auto name : sections.tangled) {
        fuzz::require(!names.contains(name), "what contradicts itself is nobody's");
    }
}
