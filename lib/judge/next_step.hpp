// What a person can paste next: argv arrays with the real names in them.
#pragma once

#include "model/finding.hpp"
#include "model/inventory.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace di::judge {

/// How the user reaches the cluster. An empty `kubectl` means that there is none: the probe ran on
/// this host, and so do the next steps.
struct Context {
    std::vector<std::string> kubectl = {"kubectl"}; ///< e.g. kubectl --context prod
};

/// `kubectl -n NS <words>`; without -n where the namespace is not known.
model::NextStep kubectl(const Context& context,
                        std::string_view ns,
                        std::vector<std::string> words,
                        std::string why);

/// Runs a POSIX shell line in the worker's container.
model::NextStep look_inside(const Context& context,
                            const model::Worker& worker,
                            std::string_view shell_line,
                            std::string why);

/// Opens the DynamoGraphDeployment in an editor, or shows the pod's spec where there is no graph.
model::NextStep edit_graph(const Context& context, const model::Worker& worker, std::string why);

/// Shows the newest log lines of the worker's container.
model::NextStep logs(const Context& context, const model::Worker& worker, std::string why);

} // namespace di::judge
