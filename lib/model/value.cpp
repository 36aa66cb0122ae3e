#include "model/value.hpp"

#include <algorithm>

namespace di::model {

Value& Value::set(std::string_view key, Value value) {
    if (!std::holds_alternative<Object>(data_)) {
        data_ = Object{};
    }
    auto& members = std::get<Object>(data_);
    const auto found = std::find_if(
        members.begin(), members.end(), [&](const Member& member) { return member.first == key; });
    if (found != members.end()) {
        found->second = std::move(value);
    } else {
        members.emplace_back(std::string(key), std::move(value));
    }
    return *this;
}

Value& Value::push(Value element) {
    if (!std::holds_alternative<Array>(data_)) {
        data_ = Array{};
    }
    std::get<Array>(data_).push_back(std::move(element));
    return *this;
}

const Value* Value::find(std::string_view key) const {
    if (const auto* members = std::get_if<Object>(&data_)) {
        for (const auto& [name, value] : *members) {
            if (name == key) {
                return &value;
            }
        }
    }
    return nullptr;
}

} // namespace di::model
