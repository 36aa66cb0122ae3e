// What a tool printed in one case of tests/data/corpus/open, and how prefixes of it are tried.
#pragma once

#include "parse/tool_output.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace di::parse {

/// Owns what ToolOutput only points to.
struct Captured {
    std::string out;
    std::string err;
    int rc = 0;

    [[nodiscard]] ToolOutput view() const { return {out, err, rc}; }
};

inline std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    CAPTURE(path);
    REQUIRE(file.good());
    return {std::istreambuf_iterator<char>(file), {}};
}

/// `name` is a case's folder, or "multi/<case>/pods/<pod>/<probe>".
inline Captured captured(const std::string& name) {
    const std::string folder = std::string(DI_TEST_DATA) + "/corpus/open/" + name + "/";
    return {file_text(folder + "stdout"),
            file_text(folder + "stderr"),
            std::stoi(file_text(folder + "rc"))};
}

/// As printed by a tool that succeeded.
inline Captured printed(std::string out) {
    return {std::move(out), {}, 0};
}

/// As captured through `kubectl exec` from a tool that failed.
inline Captured failed(int rc, std::string err, std::string out = {}) {
    return {std::move(out),
            std::move(err) + "\ncommand terminated with exit code " + std::to_string(rc) + "\n",
            rc};
}

inline std::string with_crlf(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += c == '\n' ? std::string("\r\n") : std::string(1, c);
    }
    return result;
}

/// Calls `check` with the output cut after each byte (or every `step` bytes of a long one).
template<class Check> void for_each_prefix(const std::string& out, Check check) {
    const std::size_t step = 1 + out.size() / 6000;
    for (std::size_t size = 0; size < out.size(); size += step) {
        CAPTURE(size);
        check(printed(out.substr(0, size)));
    }
}

/// Text that no tool of ours prints.
inline const std::string k_foreign = "<html><body>502 Bad Gateway</body></html>\n";

} // namespace di::parse
