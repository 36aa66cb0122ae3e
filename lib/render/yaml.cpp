#include "base/strings.hpp"
#include "render/json.hpp"
#include "render/scalar.hpp"

#include <algorithm>
#include <array>

namespace di::render {
namespace {

using model::Value;

/// Plain words that YAML 1.1 or 1.2 readers take for booleans or null.
constexpr std::array<std::string_view, 10> k_reserved = {
    "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan"};

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '/' || c == '.';
}

/// Starts with a letter or slash and cannot be mistaken for a boolean, a number or a comment.
bool can_be_plain(const std::string& text) {
    const bool starts_well =
        !text.empty() && (text[0] == '/' || (to_lower(text)[0] >= 'a' && to_lower(text)[0] <= 'z'));
    return starts_well && std::all_of(text.begin(), text.end(), is_word_character) &&
           std::find(k_reserved.begin(), k_reserved.end(), to_lower(text)) == k_reserved.end();
}

std::string scalar(const Value& value) {
    const auto* text = std::get_if<std::string>(&value.data());
    return text != nullptr && can_be_plain(*text) ? *text : json_scalar(value);
}

bool is_block(const Value& value) {
    const auto* array = std::get_if<Value::Array>(&value.data());
    const auto* object = std::get_if<Value::Object>(&value.data());
    return (array != nullptr && !array->empty()) || (object != nullptr && !object->empty());
}

void write(std::string& out, const Value& value, std::size_t depth);

/// What follows `key:` or `-`: a scalar on the same line, or a block below.
void write_after_marker(std::string& out, const Value& value, std::size_t depth) {
    if (is_block(value)) {
        out += '\n';
        write(out, value, depth);
    } else {
        out += ' ' + scalar(value) + '\n';
    }
}

void write_object(std::string& out, const Value::Object& object, std::size_t depth) {
    for (const auto& [key, member] : object) {
        out += std::string(depth * 2, ' ') + scalar(key) + ':';
        write_after_marker(out, member, depth + 1);
    }
}

void write_array(std::string& out, const Value::Array& array, std::size_t depth) {
    const std::string indent(depth * 2, ' ');
    for (const auto& element : array) {
        const auto* object = std::get_if<Value::Object>(&element.data());
        if (object == nullptr || object->empty()) {
            out += indent + '-';
            write_after_marker(out, element, depth + 1);
            continue;
        }
        std::string block; // the first member stands beside the dash
        write_object(block, *object, depth + 1);
        block[depth * 2] = '-';
        out += block;
    }
}

void write(std::string& out, const Value& value, std::size_t depth) {
    if (const auto* object = std::get_if<Value::Object>(&value.data());
        object && !object->empty()) {
        write_object(out, *object, depth);
    } else if (const auto* array = std::get_if<Value::Array>(&value.data());
               array && !array->empty()) {
        write_array(out, *array, depth);
    } else {
        out += scalar(value) + '\n';
    }
}

} // namespace

std::string render_yaml(const Value& value) {
    std::string out;
    write(out, value, 0);
    return out;
}

} // namespace di::render
