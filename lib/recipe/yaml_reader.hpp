// Text to documents.
#pragma once

#include "recipe/node.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace di::recipe {

/// Why a text is no YAML; line and column count from 1, 0 where the reader does not say.
struct SyntaxError {
    std::string cause;
    int line = 0;
    int column = 0;
};

struct Documents {
    std::vector<NodePtr> roots;      ///< empty documents are left out
    std::vector<SyntaxError> errors; ///< at most one; documents before it are in `roots`
};

/// YAML or JSON as kubectl takes it (sigs.k8s.io/yaml over go-yaml 2): a byte order mark and CR LF
/// are fine, a TAB in an indentation, a NUL byte and a key that is no scalar are errors.
Documents parse_documents(std::string_view text, std::shared_ptr<const std::string> file);

} // namespace di::recipe
