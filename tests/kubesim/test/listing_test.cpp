#include "kubesim/encoding.hpp"
#include "kubesim/listing.hpp"

#include <catch2/catch.hpp>

using namespace di::kubesim;

namespace {

Collection make_collection() {
    Collection collection;
    for (const auto* const ns : {"a", "b"}) {
        for (int i = 0; i < 5; ++i) {
            Object object;
            object.ns = ns;
            object.name = "p" + std::to_string(i);
            object.labels = {{"parity", i % 2 == 0 ? "even" : "odd"}};
            collection.objects.push_back(object);
        }
    }
    return collection;
}

std::vector<std::string> keys(const Page& page) {
    std::vector<std::string> found;
    for (const auto* const object : page.objects) {
        found.push_back(object->key());
    }
    return found;
}

} // namespace

TEST_CASE("pages of any size join to the whole list", "[kubesim][listing]") {
    const auto collection = make_collection();
    const auto labels = *parse_label_selector("parity=even");
    const auto whole = keys(select_page(collection, {"", labels, {}, 0, ""}));
    REQUIRE(whole == std::vector<std::string>{"a/p0", "a/p2", "a/p4", "b/p0", "b/p2", "b/p4"});
    for (std::size_t limit = 1; limit < 8; ++limit) {
        CAPTURE(limit);
        std::vector<std::string> joined;
        ListQuery query{"", labels, {}, limit, ""};
        for (;;) {
            const auto page = select_page(collection, query);
            for (const auto& key : keys(page)) {
                joined.push_back(key);
            }
            CHECK(page.remaining == whole.size() - joined.size());
            CHECK(page.continue_after.empty() == (page.remaining == 0));
            if (page.continue_after.empty()) {
                break;
            }
            query.after = page.continue_after;
        }
        CHECK(joined == whole);
    }
}

TEST_CASE("a namespace and selectors narrow a list", "[kubesim][listing]") {
    const auto collection = make_collection();
    CHECK(select_page(collection, {"b", {}, {}, 0, ""}).objects.size() == 5);
    CHECK(select_page(collection, {"none", {}, {}, 0, ""}).objects.empty());
    const auto odd = *parse_label_selector("parity=odd");
    CHECK(keys(select_page(collection, {"b", odd, {}, 0, ""})) ==
          std::vector<std::string>{"b/p1", "b/p3"});
}

TEST_CASE("continue tokens are read back, others are not", "[kubesim][listing]") {
    CHECK(read_continue_token(make_continue_token("a/p4")) == "a/p4");
    CHECK_FALSE(read_continue_token("a/p4").has_value());
    CHECK_FALSE(read_continue_token(base64("something else")).has_value());
    CHECK_FALSE(read_continue_token("").has_value());
}
