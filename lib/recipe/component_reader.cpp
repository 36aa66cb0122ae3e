#include "recipe/component_reader.hpp"

#include "base/strings.hpp"
#include "discover/container_choice.hpp"
#include "discover/labels.hpp"
#include "discover/resources.hpp"
#include "discover/spec_facts.hpp"
#include "model/env_names.hpp"
#include "model/secrets.hpp"
#include "recipe/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace di::recipe {
namespace {

using model::Backend;
using model::SkipReason;
using model::Unseen;
using model::VarSource;

struct Candidate {
    const Node* node = nullptr;
    ContainerReading reading;
    discover::ContainerEnv env;
    std::vector<discover::ShellCommand> commands;
};

/// Stands for the container of a component that only the graph's own layers describe.
const Node k_no_container{};

std::vector<std::reference_wrapper<const Node>> containers_of(const PodTemplate& pod) {
    std::vector<std::reference_wrapper<const Node>> nodes;
    if (pod.main != nullptr) {
        nodes.emplace_back(*pod.main);
    }
    for (const auto& container : member(*pod.pod_spec, "containers").items) {
        nodes.emplace_back(*container);
    }
    if (nodes.empty() && pod.is_graph) {
        nodes.emplace_back(k_no_container);
    }
    return nodes;
}

std::vector<Candidate>
candidates_of(const PodTemplate& pod, const ConfigMaps& maps, const Asker& asker) {
    std::vector<Candidate> candidates;
    for (const Node& node : containers_of(pod)) {
        // The operator puts the graph's layers into the main container alone.
        const bool is_main =
            &node == pod.main || &node == &k_no_container || text(node, "name") == "main";
        auto layers = pod;
        if (!is_main) {
            layers.env.clear();
        }
        Candidate candidate{&node, read_container(node, layers, maps, asker), {}, {}};
        candidate.env = discover::read_env(candidate.reading.container);
        candidate.commands = discover::read_commands(candidate.reading.container, candidate.env);
        candidates.push_back(std::move(candidate));
    }
    return candidates;
}

/// Neither image nor command: such a container cannot run, but a patch may look like that.
bool says_nothing(const Candidate& candidate) {
    const auto& container = candidate.reading.container;
    return container.image.empty() && container.command.empty() && container.args.empty();
}

/// The container of the engine: `main`, unless it asks for no GPU and another one runs an engine;
/// without a `main` the one that runs an engine; else as in a live pod.
const Candidate* choose(const std::vector<Candidate>& candidates) {
    const auto find = [&](const auto& test) {
        const auto found = std::find_if(candidates.begin(), candidates.end(), test);
        return found == candidates.end() ? nullptr : &*found;
    };
    const auto* main =
        find([](const Candidate& one) { return one.reading.container.name == "main"; });
    const auto* engine =
        find([](const Candidate& one) { return discover::find_engine(one.commands) != nullptr; });
    const bool serves =
        main != nullptr && (discover::asks_for_accelerator(main->reading.container) ||
                            discover::find_engine(main->commands) != nullptr);
    if (serves || engine == nullptr) {
        if (main != nullptr) {
            return main;
        }
        model::Pod pod;
        for (const auto& candidate : candidates) {
            pod.containers.push_back(candidate.reading.container);
        }
        const auto* chosen = discover::choose_container(pod);
        return chosen == nullptr
                   ? nullptr
                   : &candidates[static_cast<std::size_t>(chosen - pod.containers.data())];
    }
    return engine;
}

/// Does a word of the list give this variable a value?
bool assigns(const std::vector<std::string>& words, const std::string& name) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return contains(word, name + "=");
    });
}

class VariableReader {
public:
    VariableReader(const Candidate& chosen, Draft& draft)
        : chosen_(chosen),
          draft_(draft) {}

    void read() {
        draft_.component.worker.spec.env.clear(); // what is no transport variable ends here
        draft_.component.worker.spec.env_unresolved.clear();
        const auto* engine = discover::find_engine(chosen_.commands);
        const auto& values = engine != nullptr ? engine->env : chosen_.env.values;
        const auto& unknown = engine != nullptr ? engine->unknown : chosen_.env.unresolved;
        for (const auto& [name, value] : values) {
            if (model::may_leave_pod(name)) {
                add(name, value, model::without_userinfo(value));
            }
        }
        for (const auto& name : unknown) {
            if (model::may_leave_pod(name)) {
                add_unknown(name, origin_of(name, nullptr));
            }
        }
    }

private:
    /// The container's entry, or the shell text that overrides it.
    Origin origin_of(const std::string& name, const std::string* value) const {
        const auto known = chosen_.reading.origins.find(name);
        const auto entry = chosen_.env.values.find(name);
        const bool from_entry =
            known != chosen_.reading.origins.end() &&
            (value == nullptr ? entry == chosen_.env.values.end()
                              : entry != chosen_.env.values.end() && entry->second == *value);
        if (from_entry) {
            return known->second;
        }
        Origin origin;
        const auto& container = chosen_.reading.container;
        const bool by_args = assigns(container.args, name) || !assigns(container.command, name);
        origin.source = by_args ? VarSource::args : VarSource::command;
        origin.place = place_of(member(*chosen_.node, by_args ? "args" : "command"));
        origin.unknown = value == nullptr ? "set in a branch of the script" : "";
        return origin;
    }

    /// `value` without what must not be shown; `given` tells where it was set.
    void add(const std::string& name, const std::string& given, const std::string& value) {
        auto origin = origin_of(name, &given);
        draft_.origins[name] = origin;
        if (is_placeholder(value)) {
            origin.unknown = "a placeholder that is filled in later: " + excerpt(value, 60);
            add_unknown(name, origin);
            draft_.component.vars[name].value = value;
            return;
        }
        if (model::looks_secret(value)) {
            origin.unknown = "withheld: it reads like a credential";
            origin.is_secret = true;
            add_unknown(name, origin);
            return;
        }
        model::ComponentVar var;
        var.source = origin.source;
        var.place = origin.place;
        if (value == k_pod_ip || value == k_host_ip) {
            var.value = Unseen{SkipReason::not_requested, value};
        } else {
            var.value = value;
        }
        draft_.component.vars.insert_or_assign(name, std::move(var));
        draft_.component.worker.spec.env[name] = value;
    }

    void add_unknown(const std::string& name, const Origin& origin) {
        draft_.origins[name] = origin;
        const Unseen why{SkipReason::unreadable,
                         origin.unknown.empty() ? "from what is not known" : origin.unknown};
        model::ComponentVar var;
        var.source = origin.source;
        var.place = origin.place;
        var.redacted = origin.is_secret;
        var.value = why;
        draft_.component.vars.insert_or_assign(name, std::move(var));
        draft_.component.unknown.insert_or_assign(name, why);
        draft_.component.worker.spec.env.erase(name);
    }

    const Candidate& chosen_;
    Draft& draft_;
};

bool runs_frontend(const std::vector<discover::ShellCommand>& commands) {
    return std::any_of(commands.begin(), commands.end(), [](const auto& command) {
        return std::find(command.words.begin(), command.words.end(), "dynamo.frontend") !=
               command.words.end();
    });
}

/// What an operator would have written on the pod, where a live object was dumped.
void take_labels(Draft& draft, const PodTemplate& pod) {
    const auto label = [&](std::string_view key) { return text(*pod.labels, key); };
    if (draft.type.empty()) {
        draft.type = to_lower(label(discover::k_type_label));
        const auto sub_type = to_lower(label(discover::k_sub_type_label));
        draft.type = draft.type == "worker" && !sub_type.empty() ? sub_type : draft.type;
    }
    auto graph = label(discover::k_graph_label);
    if (!draft.component.graph && !graph.empty()) {
        draft.component.graph = std::move(graph);
    }
}

/// Graphs stand alone; plain workloads of one folder may belong together.
std::string group_of(const Object& object, const Draft& draft) {
    const auto base = object.variant.empty() ? std::string() : object.variant + "\n";
    if (object.kind == "DynamoGraphDeployment") {
        return fmt::format("{}{}\n{}\n{}", base, object.file, object.ns, object.name);
    }
    const auto folder =
        object.variant.empty() ? object.file.substr(0, object.file.rfind('/')) : std::string();
    return fmt::format("{}{}\n{}\n", base, folder, draft.component.graph.value_or(""));
}

void fill_worker(Draft& draft,
                 const Object& object,
                 const PodTemplate& pod,
                 const Candidate& chosen) {
    auto& component = draft.component;
    auto& worker = component.worker;
    worker.ns = component.group;
    worker.pod = component.name;
    worker.component = component.name;
    worker.container = component.container;
    worker.graph = component.graph;
    worker.spec = discover::spec_facts(chosen.reading.container, chosen.env, chosen.commands);
    worker.spec.host_network = is_true(member(*pod.pod_spec, "hostNetwork"));
    worker.backend = discover::backend_of(chosen.commands, chosen.reading.container.image);
    if (worker.backend == Backend::unknown) {
        worker.backend = discover::backend_of_name(to_lower(pod.framework));
    }
    if (pod.multi_node) {
        worker.group = object.name + "/" + component.name.substr(0, component.name.find('/'));
    }
}

/// The role in the engine's words, once its configuration file is among them.
void read_arguments(Draft& draft,
                    const PodTemplate& pod,
                    const Candidate& chosen,
                    const ConfigMaps& maps,
                    const Asker& asker) {
    auto commands = chosen.commands;
    auto& spec = draft.component.worker.spec;
    const auto files = find_engine_files(spec.arguments, *chosen.node, *pod.pod_spec, maps, asker);
    const auto engine = std::find_if(commands.begin(), commands.end(), [](const auto& command) {
        return discover::engine_of(command).has_value();
    });
    spec.arguments = with_flag_files(std::move(spec.arguments), files);
    if (engine != commands.end()) {
        engine->words = spec.arguments;
    }
    spec.engine_config = engine_config(files);
    draft.runs_engine = engine != commands.end();
    draft.serves_frontend = runs_frontend(commands);
    draft.argument_role = discover::role_of_arguments(commands);
}

} // namespace

std::optional<Draft>
read_draft(const Object& object, const PodTemplate& pod, const ConfigMaps& maps, Whole whole) {
    const Asker asker{object.variant, object.ns, object.file};
    const auto candidates = candidates_of(pod, maps, asker);
    const auto* chosen = choose(candidates);
    if (chosen == nullptr) {
        return std::nullopt;
    }
    Draft draft;
    draft.is_graph = pod.is_graph;
    draft.type = pod.type;
    auto& component = draft.component;
    component.name = pod.component;
    component.place = place_of(*pod.place);
    component.container = chosen->reading.container.name;
    component.partial = whole == Whole::no || (pod.is_graph && says_nothing(*chosen));
    if (object.kind == "DynamoGraphDeployment") {
        component.graph = object.name;
    }
    take_labels(draft, pod);
    component.group = group_of(object, draft);
    fill_worker(draft, object, pod, *chosen);
    read_arguments(draft, pod, *chosen, maps, asker);
    VariableReader(*chosen, draft).read();
    draft.absent_maps = chosen->reading.absent_maps;
    const bool shown = pod.is_graph || !draft.type.empty() || draft.runs_engine ||
                       draft.serves_frontend || !component.vars.empty() ||
                       component.worker.backend != Backend::unknown;
    return shown ? std::optional(std::move(draft)) : std::nullopt;
}

} // namespace di::recipe
