#include "kubesim/scenarios/json.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <utility>

namespace di::kubesim::scenarios {
namespace {

/// Walks a value; one overload for each of its kinds.
class Writer {
public:
    void operator()(std::nullptr_t) { json_.Null(); }

    void operator()(bool value) { json_.Bool(value); }

    void operator()(std::int64_t value) { json_.Int64(value); }

    void operator()(double value) { json_.Double(value); }

    void operator()(const std::string& text) {
        json_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
    }

    void operator()(const Array& elements) {
        json_.StartArray();
        for (const auto& element : elements) {
            std::visit(*this, element.data());
        }
        json_.EndArray();
    }

    void operator()(const Object& members) {
        json_.StartObject();
        for (const auto& [name, value] : members) {
            (*this)(name);
            std::visit(*this, value.data());
        }
        json_.EndObject();
    }

    [[nodiscard]] std::string text() const { return {buffer_.GetString(), buffer_.GetSize()}; }

private:
    rapidjson::StringBuffer buffer_;
    rapidjson::Writer<rapidjson::StringBuffer> json_{buffer_};
};

} // namespace

Value map(const Pairs& pairs) {
    return Object(pairs.begin(), pairs.end());
}

Value list(const std::string& version, const std::string& kind, Array items) {
    return Object{{"apiVersion", version},
                  {"kind", kind},
                  {"metadata", Object{{"resourceVersion", "48219377"}}},
                  {"items", std::move(items)}};
}

std::string to_json(const Value& value) {
    Writer writer;
    std::visit(writer, value.data());
    return writer.text();
}

} // namespace di::kubesim::scenarios
