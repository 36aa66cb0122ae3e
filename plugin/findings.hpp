// Every finding that a report can carry: the catalogues of discovery, judging and manifests as one
// list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace di::app {

struct FindingInfo {
    std::string_view code;
    std::string_view name;  ///< of its rows
    std::string_view title; ///< one line
    bool advisory = false;  ///< its rows never move the verdict
    std::string_view meaning;
    std::string_view why;
    std::string_view fix;
    std::string next; ///< a command, with NAMESPACE, POD, GRAPH and so on for real names
    std::string_view source;
};

/// Those that API objects decide, then those of the probe, of pairs, and of files.
const std::vector<FindingInfo>& all_findings();

/// In any letter case; nullptr when there is none.
const FindingInfo* find_finding(std::string_view code);

} // namespace di::app
