#include "kubesim/access_review.hpp"

#include "kubesim/json.hpp"

#include <fmt/format.h>

#include <map>

namespace di::kubesim {
namespace {

/// Of a protobuf message its length-delimited fields, by number; the last of each wins
/// (https://protobuf.dev/programming-guides/encoding/).
using Fields = std::map<std::uint64_t, std::string_view>;

/// Removes a varint from the front; nothing when it does not end.
std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    return std::nullopt;
}

std::optional<Fields> read_fields(std::string_view bytes) {
    constexpr unsigned k_varint = 0;
    constexpr unsigned k_length_delimited = 2;
    Fields fields;
    while (!bytes.empty()) {
        const auto tag = take_varint(bytes);
        const auto number = take_varint(bytes); // the value, or the length of what follows
        if (!tag || !number) {
            return std::nullopt;
        }
        const auto type = *tag & 7U;
        if (type == k_length_delimited && *number <= bytes.size()) {
            fields[*tag >> 3U] = bytes.substr(0, *number);
            bytes.remove_prefix(*number);
        } else if (type != k_varint) {
            return std::nullopt;
        }
    }
    return fields;
}

/// The fields of one field's message; none where the field is missing.
std::optional<Fields> read_message(const std::optional<Fields>& fields, std::uint64_t number) {
    if (!fields || fields->count(number) == 0) {
        return std::nullopt;
    }
    return read_fields(fields->at(number));
}

std::string text_of(const Fields& fields, std::uint64_t number) {
    const auto found = fields.find(number);
    return found == fields.end() ? std::string() : std::string(found->second);
}

/// Numbers as in k8s.io/api/authorization/v1/generated.proto.
std::optional<AccessReview> read_protobuf(std::string_view bytes) {
    const auto review = read_message(read_fields(bytes), 2); // runtime.Unknown.raw
    const auto spec = read_message(review, 2);
    if (!spec) {
        return std::nullopt;
    }
    const auto asked = read_message(spec, 1);
    if (!asked) {
        return AccessReview{};
    }
    return AccessReview{Attributes{.verb = text_of(*asked, 2),
                                   .group = text_of(*asked, 3),
                                   .resource = text_of(*asked, 5),
                                   .subresource = text_of(*asked, 6),
                                   .ns = text_of(*asked, 1),
                                   .name = text_of(*asked, 7)}};
}

std::optional<AccessReview> read_json(std::string_view text) {
    const auto review = parse_json(text, "SelfSubjectAccessReview");
    const auto* const spec = review ? find_at(*review, {"spec"}) : nullptr;
    if (spec == nullptr) {
        return std::nullopt;
    }
    const auto* const asked = find_at(*spec, {"resourceAttributes"});
    if (asked == nullptr) {
        return AccessReview{};
    }
    return AccessReview{Attributes{.verb = text_at(*asked, {"verb"}),
                                   .group = text_at(*asked, {"group"}),
                                   .resource = text_at(*asked, {"resource"}),
                                   .subresource = text_at(*asked, {"subresource"}),
                                   .ns = text_at(*asked, {"namespace"}),
                                   .name = text_at(*asked, {"name"})}};
}

} // namespace

std::optional<AccessReview> read_access_review(std::string_view body) {
    constexpr std::string_view k_protobuf_magic("k8s\0", 4);
    return body.substr(0, k_protobuf_magic.size()) == k_protobuf_magic
               ? read_protobuf(body.substr(k_protobuf_magic.size()))
               : read_json(body);
}

std::string answer_access_review(const AccessReview& review, const Access& access) {
    std::string spec;
    if (review.resource) {
        spec = fmt::format(
            R"("resourceAttributes":{{"namespace":{},"verb":{},"group":{},"resource":{},)"
            R"("subresource":{},"name":{}}})",
            json_string(review.resource->ns),
            json_string(review.resource->verb),
            json_string(review.resource->group),
            json_string(review.resource->resource),
            json_string(review.resource->subresource),
            json_string(review.resource->name));
    }
    return fmt::format(R"({{"kind":"SelfSubjectAccessReview",)"
                       R"("apiVersion":"authorization.k8s.io/v1","metadata":{{}},)"
                       R"("spec":{{{}}},"status":{{"allowed":{}}}}})",
                       spec,
                       !review.resource || access.allows(*review.resource));
}

} // namespace di::kubesim
