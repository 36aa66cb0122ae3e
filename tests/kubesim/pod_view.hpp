// What exec and log need to know of a pod, with the API server's and the kubelet's own refusals.
#pragma once

#include "kubesim/json.hpp"
#include "kubesim/store.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace di::kubesim {

class PodView {
public:
    explicit PodView(const Object& pod);

    /// The asked container, or the only one. Errors: the API server's 400 texts.
    [[nodiscard]] Result<std::string> choose_container(const std::string& asked) const;

    [[nodiscard]] bool scheduled() const;
    [[nodiscard]] bool running(std::string_view container) const;

    /// Why a container that never started waits; "" when it has started.
    [[nodiscard]] std::string waiting_to_start(std::string_view container) const;

    [[nodiscard]] bool has_previous_run(std::string_view container) const;

    /// `NAME=value` for an exec: PATH, HOSTNAME, then the spec's env with references to the
    /// pod's own fields resolved and `$(NAME)` expanded. Secrets and config maps are left out.
    [[nodiscard]] std::vector<std::string> environment(std::string_view container) const;

    /// The env of the spec as written there: equal for pods of one template.
    [[nodiscard]] std::string env_template(std::string_view container) const;

private:
    [[nodiscard]] const JsonValue* container_spec(std::string_view name) const;
    [[nodiscard]] const JsonValue* container_status(std::string_view name) const;
    [[nodiscard]] std::string field(std::string_view path) const;

    rapidjson::Document pod_;
};

} // namespace di::kubesim
