// Which commands of a script run, as far as that can be told without running it: `&&` and `||`,
// `if` and `case` over values that are known. Loops count as run once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace di::discover {

enum class Truth : std::uint8_t { no, unknown, yes };

Truth negate(Truth truth);

/// What a command leaves in `$?`: decided for true, false and tests of known strings; unknown for
/// other tests; everything else is taken to succeed.
Truth outcome_of(const std::vector<std::string>& words);

/// Words of the shell's grammar where a command may begin: if, do, {, ...
bool is_reserved_word(std::string_view word);

/// Builtins whose words are NAME or NAME=VALUE: export, declare, typeset, readonly.
bool is_declaration(std::string_view word);

class ShellFlow {
public:
    /// Whether the command at hand runs.
    [[nodiscard]] Truth runs() const;

    /// `if`, `then`, `elif`, `else`, `fi`, `esac`; other words change nothing.
    void keyword(std::string_view word);

    /// The command at hand has ended, before `op`: "&&", "||", or anything else.
    void end_command(Truth outcome, std::string_view op);

    /// `case SUBJECT in`
    void begin_case(std::string subject);

    /// True between `case ... in` or `;;` and the `)` of a pattern.
    [[nodiscard]] bool wants_pattern() const;

    /// `A|B)`
    void match(const std::vector<std::string>& patterns);

    /// `;;`
    void end_branch();

private:
    struct Frame {
        Truth branch = Truth::yes;          ///< of the part being read
        Truth earlier = Truth::no;          ///< whether a part before it was taken
        std::optional<std::string> subject; ///< of a `case`
        bool wants_pattern = false;
    };

    std::vector<Frame> frames_;
    Truth gate_ = Truth::yes; ///< of && and ||
    Truth last_ = Truth::yes; ///< outcome of the last command
};

} // namespace di::discover
