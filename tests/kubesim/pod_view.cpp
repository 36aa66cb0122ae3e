#include "kubesim/pod_view.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace di::kubesim {
namespace {

constexpr std::string_view k_default_path =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

std::vector<std::string> names(const JsonValue& pod, std::string_view list) {
    std::vector<std::string> found;
    for (const auto& container : items_at(pod, {"spec", list})) {
        found.push_back(text_at(container, {"name"}));
    }
    return found;
}

/// The values known so far, in the order of their first mention.
class Variables {
public:
    void set(const std::string& name, const std::string& value) {
        for (auto& [known, known_value] : values_) {
            if (known == name) {
                known_value = value;
                return;
            }
        }
        values_.emplace_back(name, value);
    }

    [[nodiscard]] std::optional<std::string> get(std::string_view name) const {
        for (const auto& [known, value] : values_) {
            if (known == name) {
                return value;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::vector<std::string> assignments() const {
        std::vector<std::string> result;
        for (const auto& [name, value] : values_) {
            result.push_back(fmt::format("{}={}", name, value));
        }
        return result;
    }

private:
    std::vector<std::pair<std::string, std::string>> values_;
};

/// `$(NAME)` is replaced when NAME is known, `$$` is an escaped `$` (the kubelet's expansion).
std::string expand(std::string_view text, const Variables& variables) {
    std::string result;
    while (!text.empty()) {
        const auto dollar = std::min(text.find('$'), text.size());
        result += text.substr(0, dollar);
        text.remove_prefix(dollar);
        if (text.size() < 2) {
            return result + std::string(text);
        }
        const auto close = text[1] == '(' ? text.find(')') : std::string_view::npos;
        if (text[1] == '$') {
            result += '$';
            text.remove_prefix(2);
        } else if (close != std::string_view::npos) {
            const auto value = variables.get(text.substr(2, close - 2));
            result += value ? *value : std::string(text.substr(0, close + 1));
            text.remove_prefix(close + 1);
        } else {
            result += '$';
            text.remove_prefix(1);
        }
    }
    return result;
}

} // namespace

PodView::PodView(const Object& pod) {
    pod_.Parse(pod.json.data(), pod.json.size());
}

Result<std::string> PodView::choose_container(const std::string& asked) const {
    const auto pod = text_at(pod_, {"metadata", "name"});
    const auto regular = names(pod_, "containers");
    if (!asked.empty()) {
        return container_spec(asked) != nullptr
                   ? Result<std::string>(asked)
                   : Error{ErrorKind::usage,
                           fmt::format("container {} is not valid for pod {}", asked, pod),
                           "",
                           "",
                           ""};
    }
    if (regular.size() == 1) {
        return regular.front();
    }
    auto text = fmt::format("a container name must be specified for pod {}", pod);
    if (!regular.empty()) {
        text += fmt::format(", choose one of: [{}]", join(regular, " "));
    }
    if (const auto init = names(pod_, "initContainers"); !init.empty()) {
        text += fmt::format(" or one of the init containers: [{}]", join(init, " "));
    }
    return Error{ErrorKind::usage, text, "", "", ""};
}

bool PodView::scheduled() const {
    return !text_at(pod_, {"spec", "nodeName"}).empty();
}

bool PodView::running(std::string_view container) const {
    if (text_at(pod_, {"status", "phase"}) != "Running") {
        return false;
    }
    const auto* const status = container_status(container);
    return status == nullptr || find_at(*status, {"state", "running"}) != nullptr;
}

std::string PodView::waiting_to_start(std::string_view container) const {
    const auto* const status = container_status(container);
    if (status == nullptr) {
        return text_at(pod_, {"status", "phase"}) == "Pending" ? "ContainerCreating" : "";
    }
    return number_at(*status, {"restartCount"}) > 0
               ? ""
               : text_at(*status, {"state", "waiting", "reason"});
}

bool PodView::has_previous_run(std::string_view container) const {
    const auto* const status = container_status(container);
    return status != nullptr && find_at(*status, {"lastState", "terminated"}) != nullptr;
}

std::vector<std::string> PodView::environment(std::string_view container) const {
    Variables variables;
    variables.set("PATH", std::string(k_default_path));
    variables.set("HOSTNAME", text_at(pod_, {"metadata", "name"}));
    const auto* const spec = container_spec(container);
    if (spec == nullptr) {
        return variables.assignments();
    }
    for (const auto& entry : items_at(*spec, {"env"})) {
        const auto name = text_at(entry, {"name"});
        const auto reference = text_at(entry, {"valueFrom", "fieldRef", "fieldPath"});
        if (!reference.empty()) {
            variables.set(name, field(reference));
        } else if (find_at(entry, {"valueFrom"}) == nullptr) {
            variables.set(name, expand(text_at(entry, {"value"}), variables));
        }
    }
    return variables.assignments();
}

std::string PodView::env_template(std::string_view container) const {
    const auto* const spec = container_spec(container);
    const auto* const env = spec == nullptr ? nullptr : find_at(*spec, {"env"});
    return env == nullptr ? std::string() : to_json(*env);
}

const JsonValue* PodView::container_spec(std::string_view name) const {
    for (const auto list : {"containers", "initContainers", "ephemeralContainers"}) {
        for (const auto& container : items_at(pod_, {"spec", list})) {
            if (text_at(container, {"name"}) == name) {
                return &container;
            }
        }
    }
    return nullptr;
}

const JsonValue* PodView::container_status(std::string_view name) const {
    for (const auto list :
         {"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"}) {
        for (const auto& status : items_at(pod_, {"status", list})) {
            if (text_at(status, {"name"}) == name) {
                return &status;
            }
        }
    }
    return nullptr;
}

/// A downward API path: `status.podIP`, `metadata.labels['app']`.
std::string PodView::field(std::string_view path) const {
    const auto bracket = path.find("['");
    const JsonValue* value = &pod_;
    for (const auto part : split(path.substr(0, bracket), '.')) {
        value = value == nullptr ? nullptr : find_at(*value, {part});
    }
    if (value == nullptr) {
        return {};
    }
    if (bracket == std::string_view::npos) {
        return text_at(*value, {});
    }
    auto key = path.substr(bracket + 2);
    return text_at(*value, {key.substr(0, key.find('\''))});
}

} // namespace di::kubesim
