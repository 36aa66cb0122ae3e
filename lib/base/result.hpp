// Result<T>: a value or an Error. The only error channel between rooms; nothing here throws.
// (std::expected is missing from the oldest supported compilers, see docs/adr/0001.)
#pragma once

#include "base/error.hpp"

#include <cassert>
#include <utility>
#include <variant>

namespace di {

template<class T> class [[nodiscard]] Result {
public:
    Result(T value)
        : state_(std::in_place_index<0>, std::move(value)) {}

    Result(Error error)
        : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }

    explicit operator bool() const { return ok(); }

    T& operator*() & { return value(); }

    const T& operator*() const& { return value(); }

    T&& operator*() && { return std::move(value()); }

    T* operator->() { return &value(); }

    const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const {
        assert(!ok());
        return *std::get_if<1>(&state_);
    }

private:
    T& value() {
        assert(ok());
        return *std::get_if<0>(&state_);
    }

    const T& value() const {
        assert(ok());
        return *std::get_if<0>(&state_);
    }

    std::variant<T, Error> state_;
};

/// For functions that give nothing back but may fail.
struct Done {};

using Outcome = Result<Done>;

} // namespace di
