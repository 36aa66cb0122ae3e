#include "judge/next_step.hpp"

#include <iterator>
#include <utility>

namespace di::judge {

using model::NextStep;
using model::Worker;

NextStep kubectl(const Context& context,
                 std::string_view ns,
                 std::vector<std::string> words,
                 std::string why) {
    std::vector<std::string> argv = context.kubectl;
    if (!ns.empty()) {
        argv.emplace_back("-n");
        argv.emplace_back(ns);
    }
    argv.insert(
        argv.end(), std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()));
    return {std::move(argv), std::move(why)};
}

NextStep look_inside(const Context& context,
                     const Worker& worker,
                     std::string_view shell_line,
                     std::string why) {
    if (context.kubectl.empty()) {
        return {{"sh", "-c", std::string(shell_line)}, std::move(why)};
    }
    return kubectl(
        context,
        worker.ns,
        {"exec", worker.pod, "-c", worker.container, "--", "sh", "-c", std::string(shell_line)},
        std::move(why));
}

NextStep edit_graph(const Context& context, const Worker& worker, std::string why) {
    if (context.kubectl.empty()) {
        return {{"env"}, std::move(why)};
    }
    if (worker.graph) {
        return kubectl(
            context, worker.ns, {"edit", "dynamographdeployment", *worker.graph}, std::move(why));
    }
    return kubectl(context, worker.ns, {"get", "pod", worker.pod, "-o", "yaml"}, std::move(why));
}

NextStep logs(const Context& context, const Worker& worker, std::string why) {
    if (context.kubectl.empty()) {
        return {{"dmesg"}, std::move(why)};
    }
    return kubectl(context,
                   worker.ns,
                   {"logs", worker.pod, "-c", worker.container, "--tail=100"},
                   std::move(why));
}

} // namespace di::judge
