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

/// "crw-rw-rw-": the first word of a line of `ls -l`, maybe with a mark for ACLs or SELinux.
bool is_mode(std::string_view word) {
    constexpr std::size_t k_letters = 10;
    return word.size() >= k_letters && word.size() <= k_letters + 1 &&
           word.find_first_not_of("-dclbspwrxStTs.+@") == std::string_view::npos;
}

/// A line of `ls -l`: mode, links, owner, group, size or device numbers, date and name, which a
/// link's target follows. False for a line of the short form.
bool read_long_form(const Line& line, Listing& listing) {
    constexpr std::size_t k_least_words = 7;
    const auto parts = words(line.text);
    if (parts.size() == 2 && parts[0] == "total" && parse_unsigned(parts[1])) {
        return true;
    }
    if (parts.size() < k_least_words || !is_mode(parts[0])) {
        return false;
    }
    const auto arrow = std::find(parts.begin(), parts.end(), "->");
    listing.names.emplace_back(*(arrow - 1));
    listing.types.push_back(parts[0].front());
    return true;
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
    bool anything = false; ///< even an empty directory has its "total 0" in the long form
    const LineReader text(output.out);
    for (const auto& line : text.lines()) {
        const bool cut = !line.ended && output.rc != 0;
        if (is_complaint(line.text) || cut || read_long_form(line, listing)) {
            anything = anything || (!cut && !is_complaint(line.text));
            continue;
        }
        for (const auto name : words(line.text)) {
            listing.names.emplace_back(name);
            listing.types.push_back('?');
        }
    }
    if (anything || !listing.names.empty()) {
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
