#include "discover/shell_flow.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace di::discover {
namespace {

using Words = std::span<const std::string>;

Truth both(Truth a, Truth b) {
    return std::min(a, b);
}

Truth either(Truth a, Truth b) {
    return std::max(a, b);
}

Truth truth(bool value) {
    return value ? Truth::yes : Truth::no;
}

/// An expression that could not be expanded still shows its sign.
bool is_known(std::string_view word) {
    return word.find_first_of("$`") == std::string_view::npos;
}

bool is_pattern(std::string_view word) {
    return word.find_first_of("*?[") != std::string_view::npos;
}

Truth equal(const std::string& left, const std::string& right) {
    return is_known(left) && is_known(right) ? truth(left == right) : Truth::unknown;
}

/// The words between `[` and `]`.
Truth test(Words words, bool matches_patterns) {
    if (words.size() == 2 && (words[0] == "-n" || words[0] == "-z")) {
        const Truth empty = is_known(words[1]) ? truth(words[1].empty()) : Truth::unknown;
        return words[0] == "-z" ? empty : negate(empty);
    }
    if (words.size() == 3 && !(matches_patterns && is_pattern(words[2]))) {
        if (words[1] == "=" || words[1] == "==") {
            return equal(words[0], words[2]);
        }
        if (words[1] == "!=") {
            return negate(equal(words[0], words[2]));
        }
    }
    return Truth::unknown;
}

Truth match_one(const std::string& subject, const std::string& pattern) {
    if (pattern == "*") {
        return Truth::yes;
    }
    return is_pattern(pattern) ? Truth::unknown : equal(subject, pattern);
}

} // namespace

Truth negate(Truth truth) {
    return truth == Truth::unknown ? truth : truth == Truth::yes ? Truth::no : Truth::yes;
}

Truth outcome_of(const std::vector<std::string>& words) {
    if (words.empty() || words.front() == "true" || words.front() == ":") {
        return Truth::yes;
    }
    if (words.front() == "false") {
        return Truth::no;
    }
    const Words rest = Words(words).subspan(1);
    if (words.front() == "test") {
        return test(rest, false);
    }
    const bool brackets = words.front() == "[" || words.front() == "[[";
    return brackets && !rest.empty() ? test(rest.first(rest.size() - 1), words.front() == "[[")
                                     : truth(!brackets);
}

bool is_reserved_word(std::string_view word) {
    static constexpr std::array<std::string_view, 18> k_words = {"if",
                                                                 "then",
                                                                 "elif",
                                                                 "else",
                                                                 "fi",
                                                                 "for",
                                                                 "while",
                                                                 "until",
                                                                 "do",
                                                                 "in",
                                                                 "done",
                                                                 "case",
                                                                 "esac",
                                                                 "time",
                                                                 "!",
                                                                 "function",
                                                                 "{",
                                                                 "}"};
    return std::find(k_words.begin(), k_words.end(), word) != k_words.end();
}

bool is_declaration(std::string_view word) {
    return word == "export" || word == "declare" || word == "typeset" || word == "readonly";
}

Truth ShellFlow::runs() const {
    Truth result = gate_;
    for (const Frame& frame : frames_) {
        result = both(result, frame.branch);
    }
    return result;
}

void ShellFlow::keyword(std::string_view word) {
    if (word == "if") {
        frames_.emplace_back();
        return;
    }
    if (frames_.empty()) {
        return;
    }
    Frame& frame = frames_.back();
    if (word == "then") {
        frame.branch = both(frame.branch, last_);
    } else if (word == "elif" || word == "else") {
        frame.earlier = either(frame.earlier, frame.branch);
        frame.branch = negate(frame.earlier);
    } else if (word == "fi" || word == "esac") {
        frames_.pop_back();
        last_ = Truth::yes;
    }
}

void ShellFlow::end_command(Truth outcome, std::string_view op) {
    if (gate_ == Truth::yes) {
        last_ = outcome;
    } else if (gate_ == Truth::unknown) {
        last_ = Truth::unknown;
    }
    gate_ = op == "&&" ? last_ : op == "||" ? negate(last_) : Truth::yes;
}

void ShellFlow::begin_case(std::string subject) {
    Frame frame;
    frame.branch = Truth::no;
    frame.subject = std::move(subject);
    frame.wants_pattern = true;
    frames_.push_back(std::move(frame));
}

bool ShellFlow::wants_pattern() const {
    return !frames_.empty() && frames_.back().wants_pattern;
}

void ShellFlow::match(const std::vector<std::string>& patterns) {
    Frame& frame = frames_.back();
    Truth matched = Truth::no;
    for (const std::string& pattern : patterns) {
        matched = either(matched, match_one(frame.subject.value_or(""), pattern));
    }
    frame.branch = both(matched, negate(frame.earlier));
    frame.earlier = either(frame.earlier, matched);
    frame.wants_pattern = false;
}

void ShellFlow::end_branch() {
    if (!frames_.empty() && frames_.back().subject) {
        frames_.back().branch = Truth::no;
        frames_.back().wants_pattern = true;
    }
}

} // namespace di::discover
