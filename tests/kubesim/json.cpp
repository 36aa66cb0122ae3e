#include "kubesim/json.hpp"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace di::kubesim {

Result<rapidjson::Document> parse_json(std::string_view text, const std::string& object) {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
    if (document.HasParseError()) {
        return Error{ErrorKind::parse,
                     "cannot read JSON",
                     object,
                     fmt::format("{} at byte {}",
                                 rapidjson::GetParseError_En(document.GetParseError()),
                                 document.GetErrorOffset()),
                     ""};
    }
    return document;
}

const JsonValue* find_at(const JsonValue& value, JsonPath path) {
    const JsonValue* current = &value;
    for (const auto name : path) {
        if (!current->IsObject()) {
            return nullptr;
        }
        const JsonValue key(rapidjson::StringRef(name.data(), name.size()));
        const auto member = current->FindMember(key);
        if (member == current->MemberEnd()) {
            return nullptr;
        }
        current = &member->value;
    }
    return current;
}

std::string text_at(const JsonValue& value, JsonPath path) {
    const auto* const found = find_at(value, path);
    if (found == nullptr) {
        return {};
    }
    if (found->IsString()) {
        return {found->GetString(), found->GetStringLength()};
    }
    if (found->IsBool()) {
        return found->GetBool() ? "true" : "false";
    }
    return found->IsInt64() ? std::to_string(found->GetInt64()) : std::string();
}

long number_at(const JsonValue& value, JsonPath path) {
    const auto* const found = find_at(value, path);
    return found != nullptr && found->IsInt64() ? static_cast<long>(found->GetInt64()) : 0;
}

bool true_at(const JsonValue& value, JsonPath path) {
    const auto* const found = find_at(value, path);
    return found != nullptr && found->IsBool() && found->GetBool();
}

JsonItems items_at(const JsonValue& value, JsonPath path) {
    const auto* const found = find_at(value, path);
    if (found == nullptr || !found->IsArray()) {
        return {};
    }
    return {found->Begin(), found->End()};
}

std::string to_json(const JsonValue& value) {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    value.Accept(writer);
    return {buffer.GetString(), buffer.GetSize()};
}

std::string json_string(std::string_view text) {
    return to_json(JsonValue(rapidjson::StringRef(text.data(), text.size())));
}

} // namespace di::kubesim
