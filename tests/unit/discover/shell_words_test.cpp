#include "discover/shell_words.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace di;
using discover::read_script;
using discover::ShellContext;

namespace {

ShellContext context() {
    return {.variables = {{"ROLE", "prefill"},
                          {"MODEL", "Qwen/Qwen3-32B"},
                          {"EMPTY", ""},
                          {"EXTRA", "--disaggregation-mode decode"}},
            .unknown = {"POD_IP"},
            .positional = {"one", "two words"}};
}

/// Commands one a line, words in brackets: what a table can show.
std::string read(std::string_view script) {
    std::string shown;
    for (const auto& command : read_script(script, context())) {
        for (const std::string& word : command.words) {
            shown += "[" + word + "]";
        }
        shown += "\n";
    }
    return shown;
}

} // namespace

TEST_CASE("a script is read as the shell reads it", "[discover][shell]") {
    struct Case {
        std::string_view why;
        std::string_view script;
        std::string_view commands;
    };

    const auto row = GENERATE(values<Case>({
        {"words", "python3 -m  dynamo.vllm\t--model x", "[python3][-m][dynamo.vllm][--model][x]\n"},
        {"nothing", "", ""},
        {"blank", " \n\t ;\n", ""},
        {"separators", "a; b && c\nd & e", "[a]\n[b]\n[c]\n[d]\n[e]\n"},
        {"pipe", "a 2>&1 | tee /tmp/x.log", "[a]\n[tee][/tmp/x.log]\n"},
        {"quotes", R"(a 'b "c" d' "e 'f' g")", "[a][b \"c\" d][e 'f' g]\n"},
        {"joined quotes", R"(--mode="pre"'fill')", "[--mode=prefill]\n"},
        {"empty word", R"(a "" '')", "[a][][]\n"},
        {"escapes", R"(a\ b \"c\" "d\"e")", "[a b][\"c\"][d\"e]\n"},
        {"continuation", "a \\\n  --flag", "[a][--flag]\n"},
        {"continuation in quotes", "a \"b\\\nc\"", "[a][bc]\n"},
        {"comment", "a # --is-prefill-worker\nb", "[a]\n[b]\n"},
        {"no comment inside a word", "a#b", "[a#b]\n"},
        {"quoted comment", "echo '# no'", "[echo][# no]\n"},
        {"redirections", "a >out 2>>err </dev/null 2>&- >|x b", "[a][b]\n"},
        {"both outputs", "a &>log b &>>log", "[a][b]\n"},
        {"digits are no descriptor", "a 2 >x", "[a][2]\n"},
        {"here-string", "a <<< 'text' b", "[a][b]\n"},
        {"here-document", "cat <<EOF >x\n--is-prefill-worker\nEOF\nb", "[cat]\n[b]\n"},
        {"indented here-document", "cat <<-'E'\n\tmode: decode\n\tE\nb", "[cat]\n[b]\n"},
        {"two here-documents", "cat <<A <<B\nx\nA\ny\nB\nc", "[cat]\n[c]\n"},
        {"open here-document", "cat <<EOF\nx", "[cat]\n"},
        {"known variable", "a $ROLE ${ROLE} \"$ROLE\"", "[a][prefill][prefill][prefill]\n"},
        {"inside a word", "a --m=$ROLE-x ${ROLE}s", "[a][--m=prefill-x][prefills]\n"},
        {"single quotes keep", "a '$ROLE'", "[a][$ROLE]\n"},
        {"escaped dollar", "a \\$ROLE \"\\$ROLE\"", "[a][$ROLE][$ROLE]\n"},
        {"unset stays visible", "a $NOT_SET \"${NOT_SET}\"", "[a][$NOT_SET][${NOT_SET}]\n"},
        {"set elsewhere", "a $POD_IP ${POD_IP:-x}", "[a][$POD_IP][${POD_IP:-x}]\n"},
        {"empty vanishes", "a $EMPTY \"$EMPTY\" b", "[a][][b]\n"},
        {"split into fields", "a $EXTRA b", "[a][--disaggregation-mode][decode][b]\n"},
        {"quoted is not split", "a \"$EXTRA\"", "[a][--disaggregation-mode decode]\n"},
        {"default", "a ${NO:-x} ${NO-y} ${NO:=z} ${ROLE:-q}", "[a][x][y][z][prefill]\n"},
        {"default of empty", "a ${EMPTY:-x} [${EMPTY-y}]", "[a][x][[]]\n"},
        {"alternative", "a ${ROLE:+--is-$ROLE} ${NO:+x} b", "[a][--is-prefill][b]\n"},
        {"nested default", "a ${NO:-${ALSO_NO:-decode}}", "[a][decode]\n"},
        {"quoted default", "a ${NO:-\"x y\"}", "[a][x][y]\n"},
        {"other operators stay", "a ${ROLE%l} ${#ROLE}", "[a][${ROLE%l}][${#ROLE}]\n"},
        {"substitution stays", "a $(nproc --all) `id -u`", "[a][$(nproc --all)][`id -u`]\n"},
        {"arithmetic stays", "a $((1 + 2))", "[a][$((1 + 2))]\n"},
        {"process substitution", "a > >(tee x) <(b c)", "[a][<(b c)]\n"},
        {"positional", "a $1 $2 \"$2\" $3", "[a][one][two][words][two words][$3]\n"},
        {"all positional", "exec \"$@\"", "[exec][one][two words]\n"},
        {"lone dollar", "a $ b$ \"$\"", "[a][$][b$][$]\n"},
        {"assignment", "MODE=decode; a --m $MODE", "[a][--m][decode]\n"},
        {"assignment with spaces", "X='a b'; c $X \"$X\"", "[c][a][b][a b]\n"},
        {"assignment is not split", "X=$EXTRA; c \"$X\"", "[c][--disaggregation-mode decode]\n"},
        {"prefix assignment", "MODE=decode a $MODE", "[a][$MODE]\n"},
        {"no assignment when quoted", "'A'=1 b", "[A=1][b]\n"},
        {"no assignment behind a word", "a B=1", "[a][B=1]\n"},
        {"export", "export MODE=decode OTHER=x; a $MODE $OTHER", "[a][decode][x]\n"},
        {"unset", "unset ROLE; a $ROLE", "[a][$ROLE]\n"},
        {"loops", "for d in 0 1; do a $d; done; while true; do b; done", "[a][$d]\n[true]\n[b]\n"},
        {"groups", "{ a; }; (b; c)", "[a]\n[b]\n[c]\n"},
        {"function", "f() {\n exit 1\n}\na; f", "[a]\n[f]\n"},
        {"open quote", "a 'b c", "[a][b c]\n"},
        {"open double quote", "a \"b c", "[a][b c]\n"},
        {"open brace", "a ${ROLE", "[a][${ROLE]\n"},
        {"open substitution", "a $(b", "[a][$(b]\n"},
        {"trailing backslash", "a \\", "[a][\\]\n"},
        {"open backquote", "a `b", "[a][`b]\n"},
    }));
    CAPTURE(row.why, row.script);
    CHECK(read(row.script) == row.commands);
}

TEST_CASE("branches over known values are decided, others count as run", "[discover][shell]") {
    struct Case {
        std::string_view script;
        std::string_view commands;
    };

    const auto row = GENERATE(values<Case>({
        {"if [ \"$ROLE\" = prefill ]; then X=p; else X=d; fi; a $X",
         "[[][prefill][=][prefill][]]\n[a][p]\n"},
        {"if [ $ROLE = decode ]; then exec a; fi; exec b",
         "[[][prefill][=][decode][]]\n[exec][b]\n"},
        {"if [ $ROLE != decode ]; then exec a; fi; exec b",
         "[[][prefill][!=][decode][]]\n[exec][a]\n"},
        {"if test -z \"$EMPTY\"; then a; else b; fi", "[test][-z][]\n[a]\n"},
        {"if ! test -n \"$EMPTY\"; then a; else b; fi", "[test][-n][]\n[a]\n"},
        {"if [[ $ROLE == prefill ]]\nthen\n a\nelse\n b\nfi",
         "[[[][prefill][==][prefill][]]]\n[a]\n"},
        {"if false; then a; elif true; then b; else c; fi", "[false]\n[true]\n[b]\n"},
        {"if false; then if true; then a; fi; b; fi; c", "[false]\n[c]\n"},
        {"if [ -f x ]; then a; else b; fi", "[[][-f][x][]]\n[a]\n[b]\n"},
        {"if [ -f x ]; then M=d; fi; a $M", "[[][-f][x][]]\n[a][$M]\n"},
        {"if [ $POD_IP = x ]; then exec a; fi; b", "[[][$POD_IP][=][x][]]\n[exec][a]\n[b]\n"},
        {"[ $ROLE = decode ] && M=d; [ $ROLE = prefill ] && M=p; a $M",
         "[[][prefill][=][decode][]]\n[[][prefill][=][prefill][]]\n[a][p]\n"},
        {"[ $ROLE = decode ] || M=p; a $M", "[[][prefill][=][decode][]]\n[a][p]\n"},
        {"[ -f x ] || M=p; a $M", "[[][-f][x][]]\n[a][$M]\n"},
        {"mkdir x && cd x || exit 1; a", "[mkdir][x]\n[cd][x]\n[a]\n"},
        {"a &&\n b", "[a]\n[b]\n"},
        {"true; exit 0; a", "[true]\n[exit][0]\n"},
        {"exec >log; a", "[exec]\n[a]\n"},
        {"case $ROLE in decode) a;; prefill|p) b;; *) c;; esac; d", "[b]\n[d]\n"},
        {"case $ROLE in (decode) a;; (*) c; esac; d", "[c]\n[d]\n"},
        {"case \"$ROLE\" in\n  decode)\n    M=d\n    ;;\n  prefill)\n    M=p\n    ;;\nesac\na $M",
         "[a][p]\n"},
        {"case $NOT in decode) a;; *) b;; esac", "[a]\n[b]\n"},
        {"case $ROLE in pre*) a;; *) b;; esac", "[a]\n[b]\n"},
        {"case in in in) a;; esac", "[a]\n"},
        {"fi; esac; then; ;; a", "[a]\n"},
    }));
    CAPTURE(row.script);
    CHECK(read(row.script) == row.commands);
}

TEST_CASE("a command finds what was exported to it", "[discover][shell]") {
    const auto commands =
        read_script("A=1; export B=2; C=3 first; ROLE=decode; export A; D=4 second", context());
    REQUIRE(commands.size() == 2);
    CHECK(commands[0].env.count("A") == 0);
    CHECK(commands[0].env.at("B") == "2");
    CHECK(commands[0].env.at("C") == "3");
    CHECK(commands[0].env.at("ROLE") == "prefill");
    CHECK(commands[1].env.count("C") == 0);
    CHECK(commands[1].env.at("A") == "1");
    CHECK(commands[1].env.at("D") == "4");
    CHECK(commands[1].env.at("ROLE") == "decode");
}

TEST_CASE("hostile scripts cost little and never crash", "[discover][shell]") {
    const std::string nested = [] {
        std::string text;
        for (int i = 0; i < 5000; ++i) {
            text += "${A:-";
        }
        return text;
    }();
    CHECK(read_script(nested, {}).size() == 1);
    CHECK(read_script(nested + std::string(5000, '}'), {}).size() == 1);
    CHECK(read_script(std::string(100'000, '('), {}).empty());
    CHECK(read_script(std::string(100'000, '"'), {}).size() <= 1);
    std::string many;
    for (int i = 0; i < 10'000; ++i) {
        many += "a;";
    }
    CHECK(read_script(many, context()).size() == 256);
    std::string doubling = "A=xxxxxxxx;";
    for (int i = 0; i < 60; ++i) {
        doubling += "A=$A$A;";
    }
    const auto commands = read_script(doubling + "b $A", {});
    REQUIRE(commands.size() == 1);
    CHECK(commands[0].words[1].size() < 1'000'000);
    const std::string script =
        "if [ \"$ROLE\" = x ]; then A='1' b \"${C:-d}\" <<E\nE\nfi `e` $(f) \\";
    for (std::size_t cut = 0; cut <= script.size(); ++cut) {
        read_script(std::string_view(script).substr(0, cut), context());
    }
    read_script(std::string("a\0b $\0", 6), context());
}
