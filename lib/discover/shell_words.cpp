#include "discover/shell_words.hpp"

#include "discover/shell_expansion.hpp"
#include "discover/shell_flow.hpp"
#include "discover/shell_variables.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace di::discover {
namespace {

constexpr std::size_t k_most_commands = 256;
constexpr std::size_t k_longest_word = std::size_t{64} << 10U;

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

enum class Target : std::uint8_t { none, file, here_document };

class ScriptReader {
public:
    ScriptReader(std::string_view text, const ShellContext& context)
        : text_(text),
          variables_(context) {}

    std::vector<ShellCommand> read() {
        while (at_ < text_.size() && !left_ && commands_.size() < k_most_commands) {
            step();
        }
        end_command("");
        return std::move(commands_);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    void step() {
        const char c = peek();
        if (is_blank(c)) {
            end_word();
            ++at_;
        } else if (c == '\n') {
            ++at_;
            end_command("");
            skip_here_documents();
        } else if (c == '#' && !in_word_) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (c == '<' || c == '>' || (c == '&' && peek(1) == '>')) {
            redirection();
        } else if (c == '(' && peek(1) == ')') {
            skip_function();
        } else if (std::string_view(";&|()").find(c) != std::string_view::npos) {
            const std::size_t begin = at_++;
            at_ += c == peek() && c != '(' && c != ')' ? 1 : 0;
            end_command(text_.substr(begin, at_ - begin));
        } else {
            word_piece(c);
        }
    }

    void word_piece(char c) {
        if (c == '\'') {
            const std::size_t end = std::min(text_.find('\'', at_ + 1), text_.size());
            append(text_.substr(at_ + 1, end - at_ - 1));
            at_ = end + 1;
        } else if (c == '"') {
            ++at_;
            double_quotes();
        } else if (c == '\\' && peek(1) == '\n') {
            at_ += 2;
        } else if (c == '\\' && at_ + 1 < text_.size()) {
            append(text_.substr(at_ + 1, 1));
            at_ += 2;
        } else if (c == '`') {
            const std::size_t end = std::min(text_.find('`', at_ + 1), text_.size() - 1);
            append(text_.substr(at_, end + 1 - at_)); // not run, so it stays as it is written
            at_ = end + 1;
        } else if (c == '$') {
            unquoted_expansion();
        } else {
            append_plain(text_.substr(at_++, 1));
        }
    }

    void double_quotes() {
        append("");
        while (at_ < text_.size() && peek() != '"') {
            if (peek() == '\\' && std::string_view("\"\\$`\n").find(peek(1)) != std::string::npos) {
                append(peek(1) == '\n' ? "" : text_.substr(at_ + 1, 1));
                at_ += 2;
            } else if (peek() == '$' && peek(1) == '@') {
                at_ += 2;
                all_positional();
            } else if (peek() == '$') {
                append(expand_dollar(text_, at_, variables_.context()).text);
            } else {
                append(text_.substr(at_++, 1));
            }
        }
        ++at_;
    }

    /// "$@": each parameter a word of its own, the first and last joined to what is around.
    void all_positional() {
        for (std::size_t i = 0; i < variables_.context().positional.size(); ++i) {
            if (i > 0) {
                end_word();
            }
            append(variables_.context().positional[i]);
        }
        if (variables_.context().positional.empty() && word_.empty()) {
            in_word_ = false;
        }
    }

    void unquoted_expansion() {
        if (peek(1) == '@' || peek(1) == '*') {
            at_ += 2;
            for (std::size_t i = 0; i < variables_.context().positional.size(); ++i) {
                if (i > 0) {
                    end_word();
                }
                append_fields(variables_.context().positional[i]);
            }
            return;
        }
        const bool assigning = in_word_ && is_assignment();
        const Piece piece = expand_dollar(text_, at_, variables_.context());
        if (assigning || !piece.known) {
            append(piece.text);
        } else {
            append_fields(piece.text);
        }
    }

    /// White space of an expansion that is not quoted ends words.
    void append_fields(std::string_view text) {
        for (const char c : text) {
            if (is_blank(c) || c == '\n') {
                end_word();
            } else {
                append(std::string_view(&c, 1));
            }
        }
    }

    void redirection() {
        const bool is_descriptor =
            in_word_ && plain_ == word_.size() &&
            std::all_of(word_.begin(), word_.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (is_descriptor) {
            reset_word();
        }
        end_word();
        if (peek() == '&') {
            ++at_;
        }
        if (peek(1) == '(') { // process substitution is a word
            append(text_.substr(at_++, 1));
            append(skip_balanced(text_, at_, '(', ')'));
            return;
        }
        const std::size_t begin = at_;
        while (std::string_view("<>&|-").find(peek()) != std::string_view::npos && peek() != '\0') {
            ++at_;
        }
        const std::string_view op = text_.substr(begin, at_ - begin);
        const bool here = op == "<<" || op == "<<-";
        target_ = here ? Target::here_document : op.ends_with("&-") ? Target::none : Target::file;
    }

    /// `name() { ... }`; the body is not followed.
    void skip_function() {
        at_ += 2;
        reset_word();
        words_.clear();
        const std::size_t body = text_.find_first_not_of(" \t\r\n", at_);
        if (body != std::string_view::npos && text_[body] == '{') {
            at_ = body;
            skip_balanced(text_, at_, '{', '}');
        }
    }

    void skip_here_documents() {
        for (const std::string& delimiter : std::exchange(here_documents_, {})) {
            while (at_ < text_.size()) {
                const std::size_t end = std::min(text_.find('\n', at_), text_.size());
                std::string_view line = text_.substr(at_, end - at_);
                at_ = std::min(end + 1, text_.size());
                line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
                if (line == delimiter) {
                    break;
                }
            }
        }
    }

    void append(std::string_view text) {
        in_word_ = true;
        if (word_.size() < k_longest_word) {
            word_ += text;
        }
    }

    /// Text that is neither quoted nor the outcome of an expansion.
    void append_plain(std::string_view text) {
        const bool all_plain = plain_ == word_.size();
        append(text);
        plain_ = all_plain ? word_.size() : plain_;
    }

    /// NAME=... with name and sign written plainly, before any other word.
    [[nodiscard]] bool is_assignment() const {
        const std::size_t sign = word_.find('=');
        return words_.empty() && sign < plain_ &&
               is_variable_name(std::string_view(word_).substr(0, sign));
    }

    void end_word() {
        if (!in_word_) {
            return;
        }
        if (target_ == Target::here_document) {
            here_documents_.push_back(word_);
        } else if (target_ == Target::none) {
            keep_word();
        }
        target_ = Target::none;
        reset_word();
    }

    void keep_word() {
        const bool plain = plain_ == word_.size();
        if (is_assignment()) {
            const std::size_t sign = word_.find('=');
            assignments_.emplace_back(word_.substr(0, sign), word_.substr(sign + 1));
        } else if (words_.empty() && plain && is_reserved_word(word_)) {
            keyword();
        } else if (opener_ == "case" && plain && word_ == "in" && words_.size() == 1) {
            flow_.begin_case(words_.front());
            words_.clear();
            opener_.clear();
        } else {
            words_.push_back(word_);
        }
    }

    /// A reserved word where a command may begin.
    void keyword() {
        if (flow_.wants_pattern() && word_ != "esac") {
            words_.push_back(word_);
        } else if (word_ == "case" || word_ == "for") {
            opener_ = word_;
        } else if (word_ == "!") {
            negated_ = !negated_;
        } else {
            flow_.keyword(word_);
        }
    }

    void reset_word() {
        word_.clear();
        in_word_ = false;
        plain_ = 0;
    }

    void end_command(std::string_view op) {
        end_word();
        target_ = Target::none;
        if (flow_.wants_pattern()) {
            end_pattern(op);
            return;
        }
        const bool is_empty = words_.empty() && assignments_.empty();
        const Truth runs = flow_.runs();
        if (!is_empty && runs != Truth::no) {
            run(runs);
            left_ = runs == Truth::yes && leaves_script() && op != "|" && op != "&";
        }
        // The newline or `;` behind `then` and the like ends no command.
        if (!is_empty) {
            const Truth outcome = outcome_of(words_);
            flow_.end_command(negated_ ? negate(outcome) : outcome, op);
        }
        if (op == ";;") {
            flow_.end_branch();
        }
        words_.clear();
        assignments_.clear();
        opener_.clear();
        negated_ = false;
    }

    /// The words before `|` or `)` are patterns of a `case`.
    void end_pattern(std::string_view op) {
        std::move(words_.begin(), words_.end(), std::back_inserter(patterns_));
        words_.clear();
        if (op == ")") {
            flow_.match(std::exchange(patterns_, {}));
        }
    }

    [[nodiscard]] bool leaves_script() const {
        return !words_.empty() &&
               (words_.front() == "exit" || (words_.front() == "exec" && words_.size() > 1));
    }

    void run(Truth runs) {
        if (words_.empty()) {
            for (auto& [name, value] : assignments_) {
                variables_.set(name, std::move(value), runs);
            }
        } else if (opener_ == "for") {
            variables_.set(words_.front(), {}, Truth::unknown);
        } else if (is_declaration(words_.front())) {
            variables_.declare(words_, runs);
        } else if (words_.front() == "unset") {
            for (const std::string& name : words_) {
                variables_.unset(name);
            }
        } else {
            commands_.push_back({.words = words_,
                                 .env = variables_.exported(assignments_),
                                 .unknown = variables_.unknown_exports(assignments_)});
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    ShellVariables variables_;
    std::vector<ShellCommand> commands_;
    std::vector<std::string> words_;
    ShellVariables::Assignments assignments_;
    std::string word_;
    std::size_t plain_ = 0; ///< so many leading bytes of the word stand plainly in the script
    bool in_word_ = false;  ///< tells the empty word "" from no word
    Target target_ = Target::none;
    ShellFlow flow_;
    std::string opener_; ///< `case` or `for`, while its head is read
    std::vector<std::string> patterns_;
    bool negated_ = false;
    bool left_ = false; ///< by `exec` or `exit`
    std::vector<std::string> here_documents_;
};

} // namespace

std::vector<ShellCommand> read_script(std::string_view script, const ShellContext& context) {
    return ScriptReader(script, context).read();
}

} // namespace di::discover
