#include "kubesim/listing.hpp"

#include "kubesim/encoding.hpp"

namespace di::kubesim {
namespace {

constexpr std::string_view k_token_mark = "kubesim/v1:";

bool selected(const Object& object, const ListQuery& query) {
    return (query.ns.empty() || object.ns == query.ns) && matches(query.labels, object.labels) &&
           matches(query.fields, object.fields);
}

} // namespace

Page select_page(const Collection& collection, const ListQuery& query) {
    Page page;
    for (const auto& object : collection.objects) {
        if ((!query.after.empty() && object.key() <= query.after) || !selected(object, query)) {
            continue;
        }
        if (query.limit == 0 || page.objects.size() < query.limit) {
            page.objects.push_back(&object);
        } else {
            ++page.remaining;
        }
    }
    if (page.remaining > 0) {
        page.continue_after = page.objects.back()->key();
    }
    return page;
}

std::string make_continue_token(std::string_view after) {
    return base64(std::string(k_token_mark) + std::string(after));
}

std::optional<std::string> read_continue_token(std::string_view token) {
    const auto text = from_base64(token);
    if (!text || text->substr(0, k_token_mark.size()) != k_token_mark) {
        return std::nullopt;
    }
    return text->substr(k_token_mark.size());
}

} // namespace di::kubesim
