// The reader against the machine's own /bin/sh: what it reads is what the shell would run.
#include "base/strings.hpp"
#include "discover/shell_words.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdio>
#include <string>

using namespace di;

namespace {

/// Commands a, b, c and d show their words; what they are given is all that a script can do.
constexpr std::string_view k_prelude = "show() { printf '[%s]' \"$@\"; echo; }\n"
                                       "a() { show a \"$@\"; }\n"
                                       "b() { show b \"$@\"; }\n"
                                       "c() { show c \"$@\"; }\n"
                                       "d() { show d \"$@\"; }\n";

std::string run_shell(const std::string& script) {
    const std::vector<std::string> argv = {"env",
                                           "-i",
                                           "ROLE=prefill",
                                           "EMPTY=",
                                           "EXTRA=--mode decode",
                                           "/bin/sh",
                                           "-c",
                                           std::string(k_prelude) + script,
                                           "sh",
                                           "one",
                                           "two words"};
    std::FILE* pipe = popen(shell_command(argv).c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string output;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        output.append(buffer.data(), count);
    }
    pclose(pipe);
    return output;
}

std::string read_words(const std::string& script) {
    const discover::ShellContext context{
        .variables = {{"ROLE", "prefill"}, {"EMPTY", ""}, {"EXTRA", "--mode decode"}},
        .unknown = {},
        .positional = {"one", "two words"}};
    std::string output;
    for (const auto& command : discover::read_script(script, context)) {
        const std::string& name = command.words.front();
        if (name.size() == 1 && name >= "a" && name <= "d") {
            for (const std::string& word : command.words) {
                output += "[" + word + "]";
            }
            output += "\n";
        }
    }
    return output;
}

} // namespace

TEST_CASE("scripts over known values read as /bin/sh runs them",
          "[discover][shell][differential]") {
    static constexpr std::array k_scripts = {
        "a one two",
        "a  one\t two ; b",
        "a 'x y' \"x y\" x\\ y x\"y 'z'\"w",
        "a '' \"\" ''\"\"",
        "a \"\\$ROLE \\\\ \\\" \\x\"",
        "a '$ROLE' '\\' \"'\"",
        "a $ROLE \"$ROLE\" ${ROLE} x${ROLE}y $ROLE-x",
        "a $EMPTY x \"$EMPTY\" y$EMPTY",
        "a $EXTRA \"$EXTRA\" x$EXTRA'y'",
        "a ${NO:-x} ${NO-y} ${EMPTY:-z} \"${EMPTY-w}\" ${ROLE:-v}",
        "a ${NO:-x y} \"${NO:-x y}\" ${NO:-$ROLE} ${NO:-${EMPTY:-deep}}",
        "a ${ROLE:+x} ${NO:+x} ${EMPTY:+x} ${EMPTY+y}",
        "a ${NEW:=x}",
        "a $1 $2 \"$2\" \"$1$2\"",
        "a \"$@\"",
        "a \"x$@y\"",
        "a $@ z",
        "a x$@y $*",
        "X=1 Y=\"2 3\"; a $X $Y \"$Y\"",
        "X=$EXTRA; a \"$X\" $X",
        "X='--flag'; Y=\"$X=1\"; a $Y",
        "X=a=b; a $X",
        "export X=1; a $X",
        "X=1; X=${X}2; a $X",
        "unset ROLE; a ${ROLE:-gone}",
        "a X=1 'Y'=2",
        "a # comment\nb",
        "a x#y '#' \\#",
        "a \\\n b \\\n c",
        "a x && b y || c z; d",
        "a x || b y; c",
        "true && a || b",
        "false && a || b",
        "false || a && b",
        "a &&\n b",
        "a 2>/dev/null x; b 2>&1 y >&1",
        "a </dev/null x 2>/dev/null",
        "a <<E x\nhidden $ROLE\nE\nb",
        "a <<-'E'\n\thidden\n\tE\nb",
        "if [ \"$ROLE\" = prefill ]; then a; else b; fi; c",
        "if [ \"$ROLE\" = decode ]; then a; else b; fi; c",
        "if [ $ROLE != decode ]; then a; fi",
        "if [ \"$ROLE\" = decode ]; then a; elif [ \"$ROLE\" = prefill ]; then b; else c; fi",
        "if [ -z \"$EMPTY\" ]; then a; fi; if [ -n \"$EMPTY\" ]; then b; fi",
        "if ! [ \"$ROLE\" = decode ]; then a; fi",
        "if [ \"$ROLE\" = prefill ] && [ -n \"$EXTRA\" ]; then a; fi",
        "if [ \"$ROLE\" = decode ] || [ \"$ROLE\" = prefill ]; then a; fi",
        "if [ x = y ]; then if [ x = x ]; then a; fi; b; else if [ x = x ]; then c; fi; fi; d",
        "[ \"$ROLE\" = prefill ] && X=--p; [ \"$ROLE\" = decode ] && X=--d; a $X",
        "test \"$ROLE\" = decode || X=--p; a $X",
        "case $ROLE in decode) a;; prefill) b;; *) c;; esac; d",
        "case \"$ROLE\" in\n(x|prefill)\n a\n ;;\n*)\n b\nesac\nc",
        "case $ROLE in x) X=1;; *) X=2;; esac; a $X",
        "case x in a) a;; b) b;; esac; c",
        "{ a; b; }; c",
        "f() { exit 1; }\na",
        "a x; exit 0; b",
        "if false; then exit 1; fi; a",
        "if true\nthen\n  a\nfi",
        "while false; do :; done; a",
    };
    for (const char* script : k_scripts) {
        CAPTURE(script);
        CHECK(read_words(script) == run_shell(script));
    }
}
