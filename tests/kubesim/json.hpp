// Small reading and writing helpers over RapidJSON.
#pragma once

#include "base/result.hpp"

#include <rapidjson/document.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace di::kubesim {

using JsonValue = rapidjson::Value;
using JsonPath = std::initializer_list<std::string_view>;

/// A whole document; the error names `object` and the offset.
Result<rapidjson::Document> parse_json(std::string_view text, const std::string& object);

/// The value at a path of member names; nullptr when any part is missing.
const JsonValue* find_at(const JsonValue& value, JsonPath path);

/// The same as text: a string as it is, booleans and whole numbers in decimal, all else "".
std::string text_at(const JsonValue& value, JsonPath path);

long number_at(const JsonValue& value, JsonPath path);

bool true_at(const JsonValue& value, JsonPath path);

/// The elements of the array at a path; none when it is missing or no array.
struct JsonItems {
    const JsonValue* first = nullptr;
    const JsonValue* last = nullptr;

    [[nodiscard]] const JsonValue* begin() const { return first; }

    [[nodiscard]] const JsonValue* end() const { return last; }
};

JsonItems items_at(const JsonValue& value, JsonPath path);

std::string to_json(const JsonValue& value);

/// A JSON string literal with its quotes.
std::string json_string(std::string_view text);

} // namespace di::kubesim
