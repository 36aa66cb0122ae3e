#include "kubesim/access.hpp"
#include "kubesim/access_review.hpp"
#include "kubesim/json.hpp"

#include <catch2/catch.hpp>

using namespace di::kubesim;

namespace {

/// A protobuf field of bytes.
std::string field(int number, const std::string& bytes) {
    std::string text;
    text += static_cast<char>(number << 3 | 2);
    text += static_cast<char>(bytes.size());
    return text + bytes;
}

std::string protobuf_review() {
    const auto attributes = field(1, "dynamo-demo") + field(2, "create") + field(3, "") +
                            field(5, "pods") + field(6, "exec") + field(7, "p");
    const auto review = field(1, "") + field(2, field(1, attributes)) + field(3, "\x08\x00");
    return std::string("k8s\0", 4) + field(1, field(1, "authorization.k8s.io/v1")) +
           field(2, review) + field(3, "") + field(4, "");
}

} // namespace

TEST_CASE("denials hold for their verb, resource and subresource", "[kubesim][access]") {
    const Access access({{"", "nodes", ""}, {"create", "pods", "exec"}}, false);
    CHECK(access.allows({"list", "", "pods", "", "x", ""}));
    CHECK(access.allows({"get", "", "pods", "exec", "x", "p"}));
    CHECK_FALSE(access.allows({"create", "", "pods", "exec", "x", "p"}));
    CHECK_FALSE(access.allows({"list", "", "nodes", "", "", ""}));
    CHECK_FALSE(access.allows({"get", "", "nodes", "", "", "n"}));
}

TEST_CASE("a Role does not reach the cluster scope, but reviews do", "[kubesim][access]") {
    const Access access({}, true);
    CHECK(access.allows({"list", "", "pods", "", "x", ""}));
    CHECK_FALSE(access.allows({"list", "", "pods", "", "", ""}));
    CHECK_FALSE(access.allows({"list", "", "nodes", "", "", ""}));
    CHECK(
        access.allows({"create", "authorization.k8s.io", "selfsubjectaccessreviews", "", "", ""}));
}

TEST_CASE("a 403 names user, verb, resource, group and scope", "[kubesim][access]") {
    const auto response = forbidden({"get", "", "pods", "exec", "ns", "p"}, "jane");
    CHECK(response.status == 403);
    const auto status = parse_json(response.body, "");
    REQUIRE(status.ok());
    CHECK(text_at(*status, {"message"}) ==
          R"(pods "p" is forbidden: User "jane" cannot get resource "pods/exec" in API group "")"
          R"( in the namespace "ns")");
    CHECK(text_at(*status, {"reason"}) == "Forbidden");
    CHECK(text_at(*status, {"details", "name"}) == "p");
}

TEST_CASE("reviews are read from JSON and from protobuf", "[kubesim][access]") {
    const std::string json =
        R"({"spec":{"resourceAttributes":{"namespace":"dynamo-demo","verb":"create",)"
        R"("resource":"pods","subresource":"exec","name":"p"}}})";
    for (const auto& body : {json, protobuf_review()}) {
        const auto review = read_access_review(body);
        REQUIRE(review.has_value());
        REQUIRE(review->resource.has_value());
        CHECK(review->resource->ns == "dynamo-demo");
        CHECK(review->resource->verb == "create");
        CHECK(review->resource->group.empty());
        CHECK(review->resource->resource == "pods");
        CHECK(review->resource->subresource == "exec");
        CHECK(review->resource->name == "p");
    }
    const auto path =
        read_access_review(R"({"spec":{"nonResourceAttributes":{"path":"/healthz"}}})");
    REQUIRE(path.has_value());
    CHECK_FALSE(path->resource.has_value());
}

TEST_CASE("what is no review is refused, at every cut", "[kubesim][access]") {
    for (const auto* const body : {"", "{}", "[]", "nonsense", "k8s"}) {
        CAPTURE(body);
        CHECK_FALSE(read_access_review(body).has_value());
    }
    const auto whole = protobuf_review();
    const auto end_of_review = whole.size() - field(3, "").size() - field(4, "").size();
    for (std::size_t length = 0; length < end_of_review; ++length) {
        CAPTURE(length);
        CHECK_FALSE(read_access_review(whole.substr(0, length)).has_value());
    }
}

TEST_CASE("a review's answer says what the authorizer says", "[kubesim][access]") {
    const Access access({{"", "pods", "exec"}}, false);
    const auto allowed = [&](const AccessReview& review) {
        const auto answer = parse_json(answer_access_review(review, access), "");
        REQUIRE(answer.ok());
        return true_at(*answer, {"status", "allowed"});
    };
    CHECK(allowed({}));
    CHECK(allowed({Attributes{"get", "", "pods", "", "x", ""}}));
    CHECK_FALSE(allowed({Attributes{"get", "", "pods", "exec", "x", ""}}));
}
