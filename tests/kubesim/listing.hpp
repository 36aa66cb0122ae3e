// Which objects a list request means, page by page.
#pragma once

#include "kubesim/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace di::kubesim {

struct ListQuery {
    std::string ns; ///< "" for all namespaces
    Selector labels;
    Selector fields;
    std::size_t limit = 0; ///< 0: everything
    std::string after;     ///< key of the last object of the page before
};

struct Page {
    std::vector<const Object*> objects;
    std::string continue_after; ///< "" on the last page
    std::size_t remaining = 0;  ///< objects after this page
};

Page select_page(const Collection& collection, const ListQuery& query);

/// The opaque text of `metadata.continue`, and back; nothing when the text is none of ours.
std::string make_continue_token(std::string_view after);
std::optional<std::string> read_continue_token(std::string_view token);

} // namespace di::kubesim
