// Reading of JSON that may hold anything: a member of the wrong type is absent, never a crash.
#pragma once

#include "base/result.hpp"
#include "model/api_objects.hpp"

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::kube::json {

using Json = rapidjson::Value;

/// `list` says in errors what was to be read: "pods".
Error broken(std::string_view list, std::string cause);

/// The whole text as one document. Not recursive, so depth costs no stack.
Result<rapidjson::Document> parse(std::string_view text, std::string_view list);

/// The member, or a null value when `object` is no object or has none of that name.
const Json& member(const Json& object, std::string_view key);

/// The elements, or none when `value` is no array.
std::vector<const Json*> elements(const Json& value);

/// "" unless the member is a string.
std::string text(const Json& object, std::string_view key);

/// False unless the member is `true`.
bool flag(const Json& object, std::string_view key);

/// Nothing unless the member is a whole number.
std::optional<int> number(const Json& object, std::string_view key);

/// The strings of an array; other elements are left out.
std::vector<std::string> texts(const Json& value);

/// The members whose values are strings. Numbers count too: a quantity may be written as one.
model::StringMap string_map(const Json& value);

/// meta/v1 conditions, as pods and custom resources carry them.
std::vector<model::Condition> conditions(const Json& value);

} // namespace di::kube::json
