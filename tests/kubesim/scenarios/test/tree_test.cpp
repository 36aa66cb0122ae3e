#include "kubesim/scenarios/tree.hpp"
#include "written.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace di::kubesim::scenarios;
using namespace di::kubesim::scenarios::test;
namespace fs = std::filesystem;

TEST_CASE("a tree writes files, lines, programs, links and folders") {
    Tree tree;
    tree.file("proc/1/environ", std::string("A=1\0B=2\0", 8));
    tree.line("sys/class/net/lo/mtu", "65536");
    tree.executable("usr/bin/tool", "#!/bin/sh\n");
    tree.link("proc/1/fd/3", "/dev/infiniband/uverbs0");
    tree.folder("dev/shm");
    const TempFolder folder;
    REQUIRE(tree.write(folder.path() / "root"));

    const auto root = folder.path() / "root";
    CHECK(read(root / "proc/1/environ") == std::string("A=1\0B=2\0", 8));
    CHECK(read(root / "sys/class/net/lo/mtu") == "65536\n");
    CHECK((fs::status(root / "usr/bin/tool").permissions() & fs::perms::others_exec) !=
          fs::perms::none);
    CHECK(fs::read_symlink(root / "proc/1/fd/3") == "/dev/infiniband/uverbs0");
    CHECK(fs::is_directory(root / "dev/shm"));
}

TEST_CASE("writing a tree again overwrites what is there") {
    Tree tree;
    tree.line("a/file", "first");
    tree.link("a/link", "one");
    const TempFolder folder;
    REQUIRE(tree.write(folder.path()));
    tree.line("a/file", "second");
    tree.link("a/link", "two");
    REQUIRE(tree.write(folder.path()));
    CHECK(read(folder.path() / "a/file") == "second\n");
    CHECK(fs::read_symlink(folder.path() / "a/link") == "two");
}

TEST_CASE("a folder that cannot be made is an error that names the file") {
    const TempFolder folder;
    std::ofstream(folder.path() / "plain") << "no folder";
    for (const auto kind :
         {Tree::Kind::file, Tree::Kind::executable, Tree::Kind::link, Tree::Kind::folder}) {
        CAPTURE(static_cast<int>(kind));
        Tree tree;
        if (kind == Tree::Kind::file) {
            tree.line("plain/x/file", "text");
        } else if (kind == Tree::Kind::executable) {
            tree.executable("plain/x/file", "text");
        } else if (kind == Tree::Kind::link) {
            tree.link("plain/x/file", "target");
        } else {
            tree.folder("plain/x/file");
        }
        const auto written = tree.write(folder.path());
        REQUIRE_FALSE(written);
        CHECK(written.error().kind == di::ErrorKind::config);
        CHECK(written.error().object == (folder.path() / "plain/x/file").string());
    }
}
