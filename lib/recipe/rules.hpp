// The rules that files alone decide. Codes are stable and never reused.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace di::recipe {

struct Rule {
    std::string_view code;
    std::string_view name;    ///< `name` of its rows
    std::string_view title;   ///< one line, as `explain` shows it
    std::string_view meaning; ///< what is looked at, and when it is good or bad
    std::string_view why;     ///< what it does to KV transfer
    std::string_view fix;     ///< what to change
    std::string_view next;    ///< a command that shows more
    std::string_view source;  ///< where the fact can be looked up
};

enum class RuleId : std::uint8_t {
    broken_file,
    not_rendered,
    not_text,
    hidden_entry,
    absent_map,
};

inline constexpr std::array<Rule, 5> k_rules = {{
    {"FILE-001",
     "file",
     "Every given file can be read",
     "A file that is no YAML or JSON, cannot be opened or is too large was not judged; the others "
     "were.",
     "What was not read may set anything.",
     "Correct the file at the line that the row names.",
     "kubectl apply --dry-run=client -f FILE",
     "yaml.org/spec/1.2; sigs.k8s.io/yaml"},
    {"FILE-002",
     "file",
     "Templates and overlays are rendered first",
     "A Helm or other template is no manifest yet. Kustomizations are rendered here, but remote "
     "bases, Helm charts, generators, transformers and replacements are not.",
     "What the template will make of the values decides, and that is not in the file.",
     "Pass the output of helm template or kubectl kustomize.",
     "kubectl kustomize FOLDER",
     "helm.sh docs, helm template; kubectl.docs.kubernetes.io, kustomization file"},
    {"FILE-003",
     "env-entry",
     "Values of variables are texts",
     "An unquoted y, n, yes, no, on, off, true, false or number is a boolean or number to YAML "
     "1.1, "
     "and the API server refuses it as the value of a variable.",
     "The manifest is refused as a whole: nothing of it is deployed.",
     "Put the value in quotes.",
     "kubectl apply --dry-run=server -f FILE",
     "kubernetes.io API reference, EnvVar v1 core; yaml.org/type/bool"},
    {"FILE-004",
     "env-entry",
     "A variable is set once in a list",
     "The last of two entries of one name wins; the earlier one has no effect.",
     "Who reads the first entry is misled about what the engine gets.",
     "Remove the entry that is not meant.",
     "kubectl apply --dry-run=server -f FILE",
     "kubernetes.io API reference, EnvVar v1 core"},
    {"FILE-005",
     "env-entry",
     "ConfigMaps that set whole environments are among the files",
     "envFrom takes every key of a ConfigMap as a variable; one that is not among the files may "
     "set "
     "anything.",
     "A transport variable may hide in it.",
     "Pass the file that holds the ConfigMap, or the rendered whole.",
     "kubectl -n NAMESPACE get configmap NAME -o yaml",
     "kubernetes.io API reference, EnvFromSource v1 core"},
}};

inline constexpr const Rule& rule(RuleId id) {
    return k_rules[static_cast<std::size_t>(id)];
}

} // namespace di::recipe
