// Seen<T>: a fact, or the reason why it could not be seen. "Could not tell" is a value of its own;
// a default-made Seen is not a fact, so forgetting to fill one can never read as healthy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace di::model {

/// Why nothing could be determined. The spelling in reports is `to_string`'s.
enum class SkipReason : std::uint8_t {
    not_applicable, ///< the question does not arise here; lowers no verdict
    tool_missing,   ///< the program that would show it is not in the image
    no_permission,  ///< refused by RBAC, file mode or ptrace limits
    not_running,    ///< the pod, container or engine is not running yet
    timed_out,
    truncated,     ///< the output ended before its end marker
    unreadable,    ///< the text is not what its format says
    not_requested, ///< nobody asked for it; lowers no verdict
};

std::string_view to_string(SkipReason reason); ///< "not-applicable", ...

struct Unseen {
    SkipReason reason = SkipReason::not_requested;
    std::string why; ///< one line for a person, or the hostile excerpt that could not be read
    friend bool operator==(const Unseen&, const Unseen&) = default;
};

template<class T> class Seen {
public:
    Seen() = default;

    Seen(T fact)
        : state_(std::in_place_index<1>, std::move(fact)) {}

    Seen(Unseen unseen)
        : state_(std::in_place_index<0>, std::move(unseen)) {}

    [[nodiscard]] const T* get() const { return std::get_if<1>(&state_); }

    [[nodiscard]] T* get() { return std::get_if<1>(&state_); }

    [[nodiscard]] const Unseen* unseen() const { return std::get_if<0>(&state_); }

    explicit operator bool() const { return get() != nullptr; }

    const T& operator*() const { return *get(); }

    T& operator*() { return *get(); }

    const T* operator->() const { return get(); }

    T* operator->() { return get(); }

    friend bool operator==(const Seen&, const Seen&) = default;

private:
    std::variant<Unseen, T> state_;
};

} // namespace di::model
