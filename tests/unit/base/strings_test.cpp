#include "base/error.hpp"
#include "base/strings.hpp"

#include <catch2/catch.hpp>

using namespace di;

TEST_CASE("lines keep their text byte by byte and forget only the line ends", "[base]") {
    struct Case {
        std::string_view text;
        std::vector<std::string_view> expected;
    };

    const auto row = GENERATE(values<Case>({
        {"", {}},
        {"a", {"a"}},
        {"a\n", {"a"}},
        {"a\r\nb\r\n", {"a", "b"}},
        {"a\n\nb", {"a", "", "b"}},
        {"\n", {""}},
        {"a\rb\n", {"a\rb"}},
    }));
    CHECK(lines(row.text) == row.expected);
}

TEST_CASE("numbers are read whole or not at all", "[base]") {
    CHECK(parse_unsigned("42") == 42U);
    CHECK(parse_unsigned("0x1f") == 31U);
    CHECK(parse_unsigned("18446744073709551615") == 18446744073709551615U);
    for (const char* text : {"", "-1", "7x", " 7", "0x", "18446744073709551616", "+7"}) {
        CAPTURE(text);
        CHECK(!parse_unsigned(text));
    }
}

TEST_CASE("hostile text becomes visible and harmless", "[base]") {
    CHECK(printable("plain text, K\xc3\xb6ln") == "plain text, K\xc3\xb6ln");
    CHECK(printable("\x1b[31mred") == "\\x1b[31mred");
    CHECK(printable("a\nb\tc") == "a\\x0ab\\x09c");
    CHECK(printable("\xe2\x80\xae"
                    "evil") == "\\u202eevil");
    CHECK(printable("\xc2\x9b"
                    "31m") == "\\x9b31m");
    CHECK(printable("cut \xc3") == "cut \\xc3");
    CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");
    CHECK(printable(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("an excerpt says that it was cut and counts characters, not bytes", "[base]") {
    CHECK(excerpt("short", 5) == "short");
    CHECK(excerpt("longer", 5) == "lo...");
    CHECK(excerpt("\xc3\xb6\xc3\xb6\xc3\xb6", 3) == "\xc3\xb6\xc3\xb6\xc3\xb6");
}

TEST_CASE("a shell command can be pasted", "[base]") {
    CHECK(shell_command({"kubectl", "-n", "prod", "logs", "p-0"}) == "kubectl -n prod logs p-0");
    CHECK(shell_command({"sh", "-c", "echo it's; id", ""}) == "sh -c 'echo it'\\''s; id' ''");
}

TEST_CASE("an error is one line and a hint at most one more", "[base]") {
    const Error error{ErrorKind::network,
                      "cannot list pods",
                      "namespace a",
                      "refused\nforged",
                      "kubectl get pods"};
    CHECK(to_text(error) ==
          "error: cannot list pods for namespace a: refused\\x0aforged\nhint: kubectl get pods\n");
    CHECK(to_text(Error{ErrorKind::usage, "unknown flag", "", "", ""}) == "error: unknown flag\n");
}
