// A JSON-shaped value: what a row's `facts` hold, and what every report format is rendered from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace di::model {

class Value {
public:
    using Array = std::vector<Value>;
    using Member = std::pair<std::string, Value>;
    using Object = std::vector<Member>; ///< in the order in which members were set
    using Variant =
        std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object>;

    Value() = default;

    Value(std::nullptr_t) {}

    Value(bool value)
        : data_(value) {}

    Value(int value)
        : data_(std::int64_t{value}) {}

    Value(unsigned value)
        : data_(std::int64_t{value}) {}

    Value(std::int64_t value)
        : data_(value) {}

    Value(std::size_t value)
        : data_(static_cast<std::int64_t>(value)) {}

    Value(double value)
        : data_(value) {}

    Value(const char* value)
        : data_(std::string(value)) {}

    Value(std::string_view value)
        : data_(std::string(value)) {}

    Value(std::string value)
        : data_(std::move(value)) {}

    Value(Array value)
        : data_(std::move(value)) {}

    Value(Object value)
        : data_(std::move(value)) {}

    Value(const std::vector<std::string>& values)
        : data_(Array(values.begin(), values.end())) {}

    static Value object() { return Object{}; }

    static Value array() { return Array{}; }

    [[nodiscard]] const Variant& data() const { return data_; }

    [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(data_); }

    /// Sets a member; the value becomes an object if it was none. Returns itself for chaining.
    Value& set(std::string_view key, Value value);

    /// Appends an element; the value becomes an array if it was none.
    Value& push(Value element);

    /// The member of that name, or nullptr.
    [[nodiscard]] const Value* find(std::string_view key) const;

    friend bool operator==(const Value&, const Value&) = default;

private:
    Variant data_;
};

} // namespace di::model
