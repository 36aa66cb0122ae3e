#include "parse/listing.hpp"

#include "parse/tool_text.hpp"

#include <algorithm>

namespace di::parse {
namespace {

using model::Listing;

/// "ls: cannot access '/dev/gdrdrv': ..." (GNU) and "ls: /dev/gdrdrv: ..." (busybox); "/bin/ls:
/// ..." when it was started so.
bool is_complaint(std::string_view line) {
    const auto speaker = line.substr(0, line.find(": "));
    return speaker.size() < line.size() && (speaker == "ls" || speaker.ends_with("/ls"));
}

bool says_absent(std::string_view line) {
    return is_complaint(line) && contains(line, "No such file or directory");
}

} // namespace

model::Seen<Listing> parse_listing(const ToolOutput& output) {
    if (auto silent = why_silent(output, "ls")) {
        return *silent;
    }
    Listing listing;
    const LineReader text(output.out);
    for (const auto& line : text.lines()) {
        const bool cut = !line.ended && output.rc != 0;
        if (is_complaint(line.text) || cut) {
            continue;
        }
        for (const auto name : words(line.text)) {
            listing.names.emplace_back(name);
        }
    }
    if (!listing.names.empty()) {
        return listing;
    }
    const auto said = messages(output);
    listing.exists = std::none_of(said.begin(), said.end(), says_absent);
    const bool other_complaint =
        !std::all_of(said.begin(), said.end(), says_absent) || (said.empty() && output.rc != 0);
    if (other_complaint) {
        return could_not_read(output, "ls");
    }
    return listing;
}

} // namespace di::parse
