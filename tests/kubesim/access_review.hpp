// The body of a SelfSubjectAccessReview: JSON, or the protobuf that kubectl's typed client sends.
#pragma once

#include "kubesim/access.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace di::kubesim {

struct AccessReview {
    std::optional<Attributes> resource; ///< none: the review asks about a path
};

/// Nothing when the body is no such review.
std::optional<AccessReview> read_access_review(std::string_view body);

/// The answer, in JSON.
std::string answer_access_review(const AccessReview& review, const Access& access);

} // namespace di::kubesim
