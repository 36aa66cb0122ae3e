#include "parse/listing.hpp"

#include "tool_input.hpp"

DI_FUZZ_TARGET(listing) {
    using namespace di;
    const auto listing = fuzz::read_tool(input, parse::parse_listing);
    if (!listing) {
        return;
    }
    fuzz::require(listing->exists || listing->names.empty(), "what is not there holds no names");
    fuzz::require(listing->names.size() <= fuzz::most_words(input), "no more names than words");
    for (const auto& name : listing->names) {
        fuzz::require(!name.empty() && name.find_first_of(" \t\n") == std::string::npos,
                      "a name is one word");
    }
}
