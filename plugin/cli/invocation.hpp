// What the command line asked for, as values. Made by parse, read by app.
#pragma once

#include "base/clock.hpp"
#include "kubeconfig/load.hpp"
#include "model/inventory.hpp"
#include "model/report.hpp"
#include "model/tool.hpp"
#include "verdict/roll_up.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace di::cli {

enum class Command : std::uint8_t { check, env, node, judge, plan, rbac, explain, version, help };

enum class Format : std::uint8_t { table, wide, json, yaml, markdown };

enum class ColorChoice : std::uint8_t { automatic, always, never };

/// What to look at, as given; the namespace is settled by the kubeconfig.
struct Selection {
    bool all_namespaces = false;
    std::string label_selector;
    std::string field_selector;
    std::optional<std::string> graph;
    std::vector<std::string> pods;
    std::optional<std::string> container;
    std::optional<model::Role> role;
};

/// Who a role is for; at most one of them.
struct Grantee {
    std::optional<std::string> service_account; ///< NAME or NS:NAME
    std::optional<std::string> user;
    std::optional<std::string> group;
};

/// What `judge` reads in place of a cluster.
struct Capture {
    std::optional<model::Tool> tool;
    std::string out = "-";           ///< file of the tool's stdout; "-" is our standard input
    std::optional<std::string> err;  ///< file of its stderr
    std::optional<int> rc;           ///< its exit code, when given
    std::optional<std::string> pods; ///< directory of whole pods, instead of one tool
    std::map<std::string, model::Role> roles; ///< of those pods, where given
};

struct Invocation {
    Command command = Command::help;
    Command help_about = Command::help; ///< for help: the command to describe
    std::vector<std::string>
        arguments;             ///< positional: CODE of explain, PROBE of judge, paths of env
    bool list = false;         ///< explain --list
    bool local = false;        ///< node --local
    Grantee grantee;           ///< of rbac
    bool access_check = false; ///< rbac --check
    kubeconfig::Overrides connection;
    Selection selection;
    Capture capture;
    Format format = Format::table;
    ColorChoice color = ColorChoice::automatic;
    verdict::FailOn fail_on = verdict::FailOn::inconclusive;
    std::optional<model::Tier> require;
    std::map<std::string, std::string> waivers; ///< code -> reason ("" when none was given)
    std::size_t max_parallel = 32;
    Millis probe_timeout{20'000};
    Millis timeout{300'000};
    bool confirm = false; ///< show the plan and ask before the first exec
    bool yes = false;     ///< the answer
    bool no_headers = false;
    bool quiet = false;
    int verbosity = 0; ///< kubectl's -v: from 6 on requests are logged
    /// The connection flags as given, so that a printed kubectl command reaches the same cluster.
    std::vector<std::string> kubectl_prefix{"kubectl"};
};

} // namespace di::cli
