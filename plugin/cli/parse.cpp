#include "cli/parse.hpp"

#include "base/duration.hpp"
#include "base/strings.hpp"
#include "cli/capture.hpp"
#include "cli/commands.hpp"
#include "cli/empty_values.hpp"
#include "cli/usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace di::cli {
namespace {

template<class T> using Words = std::span<const std::pair<std::string_view, T>>;

/// A value out of a fixed list; the error names the list.
template<class T> Result<T> one_of(std::string_view flag, std::string_view text, Words<T> words) {
    std::vector<std::string> allowed;
    for (const auto& [word, value] : words) {
        if (word == text) {
            return value;
        }
        allowed.emplace_back(word);
    }
    return usage(fmt::format("invalid value \"{}\" for {}", text, flag),
                 "allowed are: " + join(allowed, ", "));
}

constexpr std::array<std::pair<std::string_view, Format>, 4> k_formats = {{{"json", Format::json},
                                                                           {"table", Format::table},
                                                                           {"wide", Format::wide},
                                                                           {"yaml", Format::yaml}}};
constexpr std::array<std::pair<std::string_view, Format>, 4> k_explain_formats = {
    {{"json", Format::json},
     {"markdown", Format::markdown},
     {"table", Format::table},
     {"yaml", Format::yaml}}};
constexpr std::array<std::pair<std::string_view, ColorChoice>, 3> k_colors = {
    {{"auto", ColorChoice::automatic},
     {"always", ColorChoice::always},
     {"never", ColorChoice::never}}};
constexpr std::array<std::pair<std::string_view, verdict::FailOn>, 3> k_levels = {
    {{"fail", verdict::FailOn::fail},
     {"warn", verdict::FailOn::warn},
     {"inconclusive", verdict::FailOn::inconclusive}}};
constexpr std::array<std::pair<std::string_view, model::Tier>, 4> k_tiers = {
    {{"configured", model::Tier::configured},
     {"capable", model::Tier::capable},
     {"traffic", model::Tier::traffic},
     {"payload", model::Tier::payload}}};
constexpr std::array<std::pair<std::string_view, model::Role>, 3> k_roles = {
    {{"prefill", model::Role::prefill},
     {"decode", model::Role::decode},
     {"worker", model::Role::worker}}};

Result<Millis> duration(std::string_view flag, std::string_view text) {
    const auto value = parse_duration(text);
    if (!value || *value == Millis(0)) {
        return usage(fmt::format("invalid value \"{}\" for {}", text, flag),
                     "a duration is a number with a unit, such as 500ms, 20s or 5m");
    }
    return *value;
}

Result<std::size_t> positive_number(std::string_view flag, std::string_view text) {
    const auto value = parse_unsigned(text);
    if (!value || *value == 0 || *value > 1'000) {
        return usage(fmt::format("invalid value \"{}\" for {}", text, flag),
                     "a whole number from 1 to 1000");
    }
    return static_cast<std::size_t>(*value);
}

Result<int> log_level(std::string_view text) {
    constexpr std::uint64_t k_most = 99;
    const auto value = parse_unsigned(text);
    if (!value || *value > k_most) {
        return usage(fmt::format("invalid value \"{}\" for --v", text), "a whole number");
    }
    return static_cast<int>(*value);
}

/// Fills `target` from a checked value; false and the error when it was not one.
template<class T> bool take(Result<T> value, T& target, Outcome& outcome) {
    if (!value.ok()) {
        outcome = value.error();
        return false;
    }
    target = *std::move(value);
    return true;
}

Outcome take_checked_values(const RawFlags& raw, Invocation& invocation) {
    Outcome outcome = Done{};
    const Words<Format> formats = invocation.command == Command::explain
                                      ? Words<Format>(k_explain_formats)
                                      : Words<Format>(k_formats);
    model::Role role = model::Role::worker;
    model::Tier tier = model::Tier::configured;
    const bool good =
        take(one_of("--output", raw.output, formats), invocation.format, outcome) &&
        take(one_of("--color", raw.color, Words<ColorChoice>(k_colors)),
             invocation.color,
             outcome) &&
        take(one_of("--fail-on", raw.fail_on, Words<verdict::FailOn>(k_levels)),
             invocation.fail_on,
             outcome) &&
        take(one_of("--require", raw.require.value_or("configured"), Words<model::Tier>(k_tiers)),
             tier,
             outcome) &&
        take(one_of("--role", raw.role.value_or("worker"), Words<model::Role>(k_roles)),
             role,
             outcome) &&
        take(duration("--probe-timeout", raw.probe_timeout), invocation.probe_timeout, outcome) &&
        take(duration("--timeout", raw.timeout), invocation.timeout, outcome) &&
        take(log_level(raw.verbosity), invocation.verbosity, outcome) &&
        take(positive_number("--max-parallel", raw.max_parallel), invocation.max_parallel, outcome);
    if (good && raw.role) {
        invocation.selection.role = role;
    }
    if (good && raw.require) {
        invocation.require = tier;
    }
    return outcome;
}

void take_selection(const RawFlags& raw, Invocation& invocation) {
    auto& selection = invocation.selection;
    selection.all_namespaces = raw.all_namespaces;
    selection.label_selector = raw.label_selector;
    selection.field_selector = raw.field_selector;
    selection.graph = raw.graph;
    selection.pods = raw.pods;
    selection.container = raw.container;
    for (const auto& waiver : raw.skip) {
        const auto equals = std::min(waiver.find('='), waiver.size());
        invocation.waivers[waiver.substr(0, equals)] =
            equals < waiver.size() ? waiver.substr(equals + 1) : "";
    }
    invocation.list = raw.list;
    invocation.local = raw.local;
    invocation.confirm = raw.confirm;
    invocation.yes = raw.yes;
    invocation.no_headers = raw.no_headers;
    invocation.quiet = raw.quiet;
}

/// Of `rbac` the user is the one that gets the role; of `rbac --check` the one that asks.
void take_grantee(const RawFlags& raw, Invocation& invocation) {
    invocation.access_check = raw.check;
    if (invocation.command == Command::rbac && !raw.check) {
        invocation.grantee = {raw.service_account, raw.user, raw.grant_group};
        invocation.connection.user.reset();
    }
}

/// Where the cluster is and who asks belongs into a pasted command; a token does not, and for a
/// proxy kubectl has no flag.
void repeat_connection(const RawFlags& raw, std::vector<std::string>& command) {
    const auto repeat = [&](std::string_view flag, const auto& values) {
        for (const auto& value : values) {
            command.insert(command.end(), {std::string(flag), value});
        }
    };
    const std::pair<std::string_view, const std::optional<std::string>&> single[] = {
        {"--kubeconfig", raw.kubeconfig},
        {"--context", raw.context},
        {"--cluster", raw.cluster},
        {"--user", raw.user},
        {"--server", raw.server},
        {"--certificate-authority", raw.certificate_authority},
        {"--tls-server-name", raw.tls_server_name},
        {"--client-certificate", raw.client_certificate},
        {"--client-key", raw.client_key},
        {"--as", raw.as},
        {"--as-uid", raw.as_uid},
    };
    for (const auto& [flag, value] : single) {
        repeat(flag, value ? std::vector{*value} : std::vector<std::string>{});
    }
    repeat("--as-group", raw.as_groups);
    repeat("--as-user-extra", raw.as_user_extra);
    if (raw.insecure_skip_tls_verify) {
        command.emplace_back("--insecure-skip-tls-verify");
    }
}

void take_connection(const RawFlags& raw, Invocation& invocation) {
    auto& connection = invocation.connection;
    connection.kubeconfig = raw.kubeconfig;
    connection.context = raw.context;
    connection.cluster = raw.cluster;
    connection.user = raw.user;
    connection.ns = raw.ns;
    connection.server = raw.server;
    connection.token = raw.token;
    connection.as = raw.as;
    connection.as_uid = raw.as_uid;
    connection.as_groups = raw.as_groups;
    connection.as_user_extra = raw.as_user_extra;
    connection.certificate_authority = raw.certificate_authority;
    connection.client_certificate = raw.client_certificate;
    connection.client_key = raw.client_key;
    connection.tls_server_name = raw.tls_server_name;
    connection.proxy_url = raw.proxy_url;
    connection.request_timeout = raw.request_timeout;
    connection.insecure_skip_tls_verify = raw.insecure_skip_tls_verify;
    connection.disable_compression = raw.disable_compression;

    repeat_connection(raw, invocation.kubectl_prefix);
}

/// CLI11 is told of one flag; the table stays the only place that knows it.
void add_flag(CLI::App& app, const Flag& flag, RawFlags& raw) {
    const std::string names(flag.names);
    std::visit(
        [&](auto member) {
            auto& target = raw.*member;
            if constexpr (std::is_same_v<std::decay_t<decltype(target)>, bool>) {
                app.add_flag(names, target);
            } else if constexpr (std::is_same_v<std::decay_t<decltype(target)>,
                                                std::vector<std::string>>) {
                app.add_option(names, target)->allow_extra_args(false);
            } else {
                app.add_option(names, target)
                    ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
            }
        },
        flag.target);
}

std::vector<std::string_view> known_flags(const CommandInfo& command) {
    std::vector<std::string_view> known;
    for (const auto& flag : flags()) {
        if (std::find(command.groups.begin(), command.groups.end(), flag.group) !=
            command.groups.end()) {
            for (const auto name : split(flag.names, ',')) {
                known.push_back(name);
            }
        }
    }
    return known;
}

Error unknown_argument(const CommandInfo& command, const std::string& argument) {
    if (argument.empty() || argument[0] != '-') {
        return usage(fmt::format("unexpected argument \"{}\"", argument), "", help_hint(command));
    }
    const auto name = argument.substr(0, argument.find('='));
    const auto near = nearest(name, known_flags(command));
    return usage("unknown flag: " + name,
                 near.empty() ? "" : fmt::format("did you mean {}?", near),
                 help_hint(command));
}

/// Flags and positional words of one command, as text.
Result<RawFlags> read_flags(const CommandInfo& command,
                            std::span<const std::string> arguments,
                            std::vector<std::string>& positional) {
    RawFlags raw;
    CLI::App app;
    app.set_help_flag();
    app.allow_extras(false);
    for (const auto& flag : flags()) {
        if (std::find(command.groups.begin(), command.groups.end(), flag.group) !=
            command.groups.end()) {
            add_flag(app, flag, raw);
        }
    }
    if (command.most_arguments > 0) {
        app.add_option("arguments", positional);
    }
    try {
        app.parse(words_for(app, arguments));
    } catch (const CLI::ExtrasError&) {
        const auto extras = app.remaining();
        return unknown_argument(command, extras.empty() ? "" : extras.front());
    } catch (const CLI::ParseError& error) {
        return usage(error.what(), "", help_hint(command));
    }
    if (positional.size() > command.most_arguments) {
        return unknown_argument(command, positional[command.most_arguments]);
    }
    return raw;
}

const CommandInfo* find_command(std::string_view name) {
    const auto all = commands();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const CommandInfo& c) { return c.name == name; });
    return found == all.end() ? nullptr : &*found;
}

Error unknown_command(const std::string& name) {
    std::vector<std::string_view> known;
    for (const auto& command : commands()) {
        known.push_back(command.name);
    }
    const auto near = nearest(name, known);
    return usage(fmt::format("unknown command \"{}\"", name),
                 near.empty() ? "" : fmt::format("did you mean \"{}\"?", near),
                 "kubectl dynamo-interconnect help");
}

/// The same words with the command in front; `check` when none is among them.
std::string command_first(std::span<const std::string> arguments) {
    std::vector<std::string> words(arguments.begin(), arguments.end());
    auto command = std::find_if(
        words.begin(), words.end(), [](const auto& word) { return find_command(word) != nullptr; });
    if (command == words.end()) {
        command = words.insert(words.begin(), "check");
    }
    std::rotate(words.begin(), command, command + 1);
    return shell_command(words);
}

Outcome check_arguments(const CommandInfo& command, Invocation& invocation) {
    if (command.command == Command::help && !invocation.arguments.empty()) {
        const auto* about = find_command(invocation.arguments.front());
        if (about == nullptr) {
            return unknown_command(invocation.arguments.front());
        }
        invocation.help_about = about->command;
    }
    const auto& grantee = invocation.grantee;
    if (grantee.service_account.has_value() + grantee.user.has_value() + grantee.group.has_value() >
        1) {
        return usage("a role is for one of --service-account, --user and --group", "", "");
    }
    if (command.command == Command::explain && invocation.arguments.empty() != invocation.list) {
        return usage("explain takes either a CODE or --list",
                     "",
                     "kubectl dynamo-interconnect explain --list");
    }
    return Done{};
}

} // namespace

Result<Invocation> parse(std::span<const std::string> arguments) {
    Invocation invocation;
    if (arguments.empty() || arguments[0] == "-h" || arguments[0] == "--help") {
        return invocation;
    }
    const std::string first = arguments[0] == "--version" ? "version" : arguments[0];
    if (first.substr(0, 1) == "-") {
        return usage("the command comes before its flags",
                     fmt::format("found {} first", first),
                     "kubectl dynamo-interconnect " + command_first(arguments));
    }
    const auto* command = find_command(first);
    if (command == nullptr) {
        return unknown_command(first);
    }
    const auto raw = read_flags(*command, arguments.subspan(1), invocation.arguments);
    if (!raw.ok()) {
        return raw.error();
    }
    invocation.command = command->command;
    if (raw->help) {
        invocation.help_about = command->command;
        invocation.command = Command::help;
        return invocation;
    }
    take_selection(*raw, invocation);
    take_connection(*raw, invocation);
    take_grantee(*raw, invocation);
    if (const auto checked = take_checked_values(*raw, invocation); !checked.ok()) {
        return checked.error();
    }
    if (const auto checked = check_arguments(*command, invocation); !checked.ok()) {
        return checked.error();
    }
    if (command->command == Command::judge) {
        if (const auto taken = take_capture(*command, *raw, invocation); !taken.ok()) {
            return taken.error();
        }
    }
    return invocation;
}

} // namespace di::cli
