// JSON text, written field by field. Numbers and text are what their type says; nothing is parsed.
#pragma once

#include "kubesim/scenarios/vocabulary.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <string>
#include <string_view>
#include <vector>

namespace di::kubesim::scenarios {

class Json {
public:
    /// `{...}` as an element, or as the document itself; `body` writes the fields.
    template<class Body> void object(Body body) {
        writer_.StartObject();
        body();
        writer_.EndObject();
    }

    template<class Body> void object(std::string_view key, Body body) {
        name(key);
        object(body);
    }

    /// `body` writes the elements.
    template<class Body> void array(std::string_view key, Body body) {
        name(key);
        writer_.StartArray();
        body();
        writer_.EndArray();
    }

    void text(std::string_view key, std::string_view value) {
        name(key);
        string(value);
    }

    void number(std::string_view key, int value) {
        name(key);
        writer_.Int(value);
    }

    void truth(std::string_view key, bool value) {
        name(key);
        writer_.Bool(value);
    }

    void null(std::string_view key) {
        name(key);
        writer_.Null();
    }

    void texts(std::string_view key, const std::vector<std::string>& values) {
        array(key, [&] {
            for (const auto& value : values) {
                string(value);
            }
        });
    }

    void map(std::string_view key, const Pairs& pairs) {
        object(key, [&] {
            for (const auto& [field, value] : pairs) {
                text(field, value);
            }
        });
    }

    [[nodiscard]] std::string take() const { return {buffer_.GetString(), buffer_.GetSize()}; }

private:
    void name(std::string_view key) {
        writer_.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
    }

    void string(std::string_view value) {
        writer_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
    }

    rapidjson::StringBuffer buffer_;
    rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
};

} // namespace di::kubesim::scenarios
