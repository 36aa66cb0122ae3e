#include "render/json.hpp"

#include "base/strings.hpp"
#include "render/scalar.hpp"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

namespace di::render {
namespace {

using model::Value;
using Writer =
    rapidjson::PrettyWriter<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::ASCII<>>;

void write(Writer& writer, const Value& value);

struct WriteValue {
    Writer& writer;

    void operator()(std::nullptr_t) const { writer.Null(); }

    void operator()(bool value) const { writer.Bool(value); }

    void operator()(std::int64_t value) const { writer.Int64(value); }

    void operator()(double value) const { writer.Double(value); }

    void operator()(const std::string& value) const {
        const std::string text = valid_utf8(value);
        writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
    }

    void operator()(const Value::Array& array) const {
        writer.StartArray();
        for (const auto& element : array) {
            write(writer, element);
        }
        writer.EndArray();
    }

    void operator()(const Value::Object& object) const {
        writer.StartObject();
        for (const auto& [key, member] : object) {
            const std::string text = valid_utf8(key);
            writer.Key(text.data(), static_cast<rapidjson::SizeType>(text.size()));
            write(writer, member);
        }
        writer.EndObject();
    }
};

void write(Writer& writer, const Value& value) {
    std::visit(WriteValue{writer}, value.data());
}

} // namespace

std::string render_json(const Value& value) {
    rapidjson::StringBuffer buffer;
    Writer writer(buffer);
    writer.SetIndent(' ', 2);
    write(writer, value);
    return std::string(buffer.GetString(), buffer.GetSize()) + '\n';
}

std::string json_scalar(const Value& value) {
    rapidjson::StringBuffer buffer;
    Writer writer(buffer);
    write(writer, value);
    return {buffer.GetString(), buffer.GetSize()};
}

} // namespace di::render
