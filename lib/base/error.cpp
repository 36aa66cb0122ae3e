#include "base/error.hpp"

#include "base/strings.hpp"

namespace di {

std::string to_text(const Error& error) {
    std::string text = "error: " + printable(error.what);
    if (!error.object.empty()) {
        text += " for " + printable(error.object);
    }
    if (!error.cause.empty()) {
        text += ": " + printable(error.cause);
    }
    text += '\n';
    if (!error.hint.empty()) {
        text += "hint: " + printable(error.hint) + '\n';
    }
    return text;
}

} // namespace di
