#include "render/components.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace di::render {
namespace {

using namespace di::model;

constexpr std::size_t k_longest_value = 80;

Tint tint_of(const ComponentVar& var) {
    switch (var.status) {
    case Status::ok:
        return Tint::green;
    case Status::warn:
        return Tint::yellow;
    case Status::fail:
        return Tint::red;
    case Status::skipped:
        break;
    }
    return Tint::dim;
}

Value shown_value(const ComponentVar& var) {
    return var.value && !var.redacted ? Value(*var.value) : Value();
}

Value var_value(const ComponentVar& var) {
    return Value()
        .set("value", shown_value(var))
        .set("source", to_string(var.source))
        .set("status", to_string(var.status))
        .set("reason", var.reason ? Value(to_string(*var.reason)) : Value())
        .set("redacted", var.redacted)
        .set("file", var.place.file)
        .set("line", var.place.line);
}

std::string value_text(const ComponentVar& var) {
    if (var.value && !var.redacted) {
        return excerpt(*var.value, k_longest_value);
    }
    return excerpt("(" + var.value.unseen()->why + ")", k_longest_value);
}

bool is_quiet(const ComponentVar& var) {
    return var.reason == SkipReason::not_applicable;
}

/// With its graph where there are several.
std::string name_of(const Component& component, bool several) {
    return printable(several && component.graph ? *component.graph + "/" + component.name
                                                : component.name);
}

} // namespace

Value component_value(const Component& component) {
    Value vars = Value::object();
    for (const auto& [name, var] : component.vars) {
        vars.set(name, var_value(var));
    }
    return Value()
        .set("name", component.name)
        .set("graph", component.graph ? Value(*component.graph) : Value())
        .set("role", to_string(component.role))
        .set("file", component.place.file)
        .set("line", component.place.line)
        .set("container", component.container.empty() ? Value() : Value(component.container))
        .set("vars", std::move(vars));
}

std::string render_components(const std::vector<Component>& components, const TableStyle& style) {
    std::set<std::optional<std::string>> graphs;
    for (const auto& component : components) {
        graphs.insert(component.graph);
    }
    std::vector<std::vector<Cell>> rows;
    const bool wide = style.detail == Detail::wide;
    for (const auto& component : components) {
        for (const auto& [name, var] : component.vars) {
            if (!wide && is_quiet(var)) {
                continue;
            }
            rows.push_back({{name_of(component, graphs.size() > 1)},
                            {std::string(to_string(component.role))},
                            {printable(name)},
                            {std::string(to_string(var.status)), tint_of(var)},
                            {std::string(to_string(var.source))}});
            if (wide) {
                rows.back().push_back({printable(to_text(var.place))});
            }
            rows.back().push_back({value_text(var)});
        }
    }
    if (rows.empty()) {
        return "";
    }
    if (style.headers == Headers::shown) {
        std::vector<Cell> header;
        for (const std::string_view title :
             {"COMPONENT", "ROLE", "VARIABLE", "STATUS", "SOURCE", "PLACE", "VALUE"}) {
            if (wide || title != "PLACE") {
                header.push_back({std::string(title), Tint::bold});
            }
        }
        rows.insert(rows.begin(), std::move(header));
    }
    return layout_columns(rows, style.width, style.color) + "\n";
}

} // namespace di::render
