// The framing of the probe script's output: named texts between markers that carry the run's nonce.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace di::parse {

/// The probe script cuts a section after so many bytes.
inline constexpr std::size_t k_section_cap = 65'536;

/// A section that was closed by its own marker. Views point into the output it was read from.
struct Section {
    std::string_view name;
    std::string_view text;
    std::optional<int> code; ///< of the command; absent when it was stopped at the cap
    bool capped = false;     ///< the text may go on

    [[nodiscard]] bool whole() const { return code.has_value() && !capped; }
};

struct Sections {
    std::vector<Section> closed;
    std::vector<std::string_view> tangled; ///< names whose markers contradict each other
    bool complete = false;                 ///< the end marker is there

    /// The closed section of that name, or nullptr.
    [[nodiscard]] const Section* find(std::string_view name) const;
};

/// Reads the output of `sh -c SCRIPT NONCE`: for each section a line NONCE<NAME, the text, a
/// newline, a line NONCE>NAME CODES; at the very end a line NONCE and a dot. Each of these lines
/// follows a newline of its own, so that a text comes out byte by byte, whatever it ends in. CODES
/// are the exit codes of the command, of its filter, and of the reader if that was killed; the
/// first that is not 0 counts. Output may be cut anywhere: only what a marker closed is taken. A
/// name that comes twice or out of turn is nobody's: then a process of the pod imitates the
/// markers.
Sections read_sections(std::string_view out, std::string_view nonce);

} // namespace di::parse
