#include "kube/decode_json.hpp"

#include <fmt/format.h>
#include <rapidjson/error/en.h>

namespace di::kube::json {
namespace {

std::string to_string(const Json& value) {
    return {value.GetString(), value.GetStringLength()};
}

} // namespace

Error broken(std::string_view list, std::string cause) {
    return {.kind = ErrorKind::parse,
            .what = "cannot read the list",
            .object = std::string(list),
            .cause = std::move(cause),
            .hint = {}};
}

Result<rapidjson::Document> parse(std::string_view text, std::string_view list) {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
    if (document.HasParseError()) {
        return broken(list,
                      fmt::format("invalid JSON at byte {}: {}",
                                  document.GetErrorOffset(),
                                  rapidjson::GetParseError_En(document.GetParseError())));
    }
    return document;
}

const Json& member(const Json& object, std::string_view key) {
    static const Json k_none;
    if (!object.IsObject()) {
        return k_none;
    }
    const auto found = object.FindMember(
        Json(rapidjson::StringRef(key.data(), static_cast<rapidjson::SizeType>(key.size()))));
    return found == object.MemberEnd() ? k_none : found->value;
}

std::vector<const Json*> elements(const Json& value) {
    std::vector<const Json*> found;
    if (value.IsArray()) {
        found.reserve(value.Size());
        for (const Json& element : value.GetArray()) {
            found.push_back(&element);
        }
    }
    return found;
}

std::string text(const Json& object, std::string_view key) {
    const Json& value = member(object, key);
    return value.IsString() ? to_string(value) : std::string();
}

bool flag(const Json& object, std::string_view key) {
    return member(object, key).IsTrue();
}

std::optional<int> number(const Json& object, std::string_view key) {
    const Json& value = member(object, key);
    return value.IsInt() ? std::optional(value.GetInt()) : std::nullopt;
}

std::vector<std::string> texts(const Json& value) {
    std::vector<std::string> found;
    for (const Json* element : elements(value)) {
        if (element->IsString()) {
            found.push_back(to_string(*element));
        }
    }
    return found;
}

model::StringMap string_map(const Json& value) {
    model::StringMap found;
    if (!value.IsObject()) {
        return found;
    }
    for (const auto& [key, entry] : value.GetObject()) {
        if (entry.IsString()) {
            found.emplace(to_string(key), to_string(entry));
        } else if (entry.IsInt64()) {
            found.emplace(to_string(key), std::to_string(entry.GetInt64()));
        }
    }
    return found;
}

std::vector<model::Condition> conditions(const Json& value) {
    std::vector<model::Condition> found;
    for (const Json* condition : elements(value)) {
        found.push_back({.type = text(*condition, "type"),
                         .status = text(*condition, "status"),
                         .reason = text(*condition, "reason"),
                         .message = text(*condition, "message")});
    }
    return found;
}

} // namespace di::kube::json
