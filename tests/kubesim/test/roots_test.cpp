#include "kubesim/roots.hpp"
#include "sample.hpp"

using namespace di::kubesim;
using di::kubesim::test::Folder;
using di::kubesim::test::pod_list;

namespace fs = std::filesystem;

TEST_CASE("a tree says which shell and user it has", "[kubesim][roots]") {
    const auto options = parse_root_options("shell: busybox\nuid: 1000\n");
    REQUIRE(options.ok());
    CHECK(options->shell == Shell::busybox);
    CHECK(options->uid == 1000);
    CHECK(parse_root_options("")->shell == Shell::full);
    CHECK(parse_root_options("shell:none")->shell == Shell::none);
    CHECK(parse_root_options("\n shell : sh-only \n")->shell == Shell::sh_only);
    for (const auto* const text : {"shell: zsh", "uid: me", "uid:", "color: red", "shell"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_root_options(text).ok());
    }
}

TEST_CASE("links are followed inside a tree, never out of it", "[kubesim][roots]") {
    const Folder folder;
    const auto root = folder.path() / "tree";
    fs::create_directories(root / "usr/bin");
    fs::create_symlink("usr/bin", root / "bin");
    fs::create_symlink("/etc", root / "absolute");
    fs::create_symlink("../../../../etc", root / "upwards");
    fs::create_symlink("loop", root / "loop");
    CHECK(resolve_inside(root, "/bin/sh") == root / "usr/bin/sh");
    CHECK(resolve_inside(root, "bin") == root / "usr/bin");
    CHECK(resolve_inside(root, "/absolute/passwd") == root / "etc/passwd");
    CHECK(resolve_inside(root, "/upwards/passwd") == root / "etc/passwd");
    CHECK(resolve_inside(root, "../../x") == root / "x");
    const auto looped = resolve_inside(root, "/loop/x").string();
    CHECK(looped.rfind(root.string(), 0) == 0);
}

TEST_CASE("a pod's own tree comes before the one it names", "[kubesim][roots]") {
    const Folder folder;
    folder.write("roots/shared/etc/mark", "shared");
    folder.write("roots/n/own/etc/mark", "own");
    folder.write(
        "objects/pods.json",
        pod_list(
            R"({"metadata":{"name":"bare","namespace":"n"}},)"
            R"({"metadata":{"name":"named","namespace":"n","annotations":{"kubesim.dev/root":"shared"}}},)"
            R"({"metadata":{"name":"own","namespace":"n","annotations":{"kubesim.dev/root":"shared"}}})"));
    const auto store = folder.load();
    const Folder workspace;
    const Roots roots(folder.path(), workspace.path(), Isolation::unavailable);
    const auto source = [&](const char* name) {
        return roots.source_of(*Store::find(store.pods(), "n", name));
    };
    CHECK(source("bare").empty());
    CHECK(source("named") == folder.path() / "roots/shared");
    CHECK(source("own") == folder.path() / "roots/n/own");
    CHECK(roots.check(store.pods()).ok());
}

TEST_CASE("missing trees and broken options are found at the start", "[kubesim][roots]") {
    const Folder folder;
    folder.write(
        "objects/pods.json",
        pod_list(
            R"({"metadata":{"name":"p","namespace":"n","annotations":{"kubesim.dev/root":"lost"}}})"));
    const auto store = folder.load();
    const Folder workspace;
    const Roots roots(folder.path(), workspace.path(), Isolation::unavailable);
    const auto checked = roots.check(store.pods());
    REQUIRE_FALSE(checked.ok());
    CHECK(checked.error().object == "pod n/p");
    folder.write("roots/lost/.kubesim", "shell: zsh\n");
    CHECK_FALSE(roots.check(store.pods()).ok());
    folder.write("roots/lost/.kubesim", "shell: none\n");
    CHECK(roots.check(store.pods()).ok());
}

TEST_CASE("where commands cannot be run, a tree is not copied", "[kubesim][roots]") {
    const Folder folder;
    const Folder workspace;
    Roots roots(folder.path(), workspace.path(), Isolation::unavailable);
    const auto tree = roots.prepare(di::kubesim::test::read_pod(R"({"metadata":{"name":"p"}})"));
    REQUIRE_FALSE(tree.ok());
    CHECK(tree.error().kind == di::ErrorKind::permission);
}

TEST_CASE("a copy gets shell and devices, and keeps what the tree brings", "[kubesim][roots]") {
    const Folder workspace;
    const auto isolation = detect_isolation(workspace.path());
    if (isolation == Isolation::unavailable) {
        WARN("commands cannot be run here: not tried");
        return;
    }
    const Folder folder;
    folder.write("roots/r/bin/cat", "mine");
    folder.write("roots/r/dev/infiniband/uverbs0", "");
    folder.write("roots/r/.kubesim", "uid: 7\n");
    folder.write("roots/r/.kubesim.log", "log");
    const auto pod = di::kubesim::test::read_pod(
        R"({"metadata":{"name":"p","annotations":{"kubesim.dev/root":"r"}}})");
    Roots roots(folder.path(), workspace.path(), isolation);
    const auto tree = roots.prepare(pod);
    REQUIRE(tree.ok());
    const auto& path = (*tree)->path;
    CHECK((*tree)->uid == 7);
    CHECK(*read_file(path / "bin/cat") == "mine");
    CHECK(fs::is_symlink(path / "bin/ls"));
    CHECK(fs::is_regular_file(path / "bin/sh"));
    CHECK(fs::exists(path / "dev/null"));
    CHECK_FALSE(fs::exists(path / ".kubesim"));
    CHECK_FALSE(fs::exists(path / ".kubesim.log"));
    CHECK(*roots.prepare(pod) == *tree);
    if (isolation == Isolation::chroot) {
        CHECK(fs::is_character_file(path / "dev/infiniband/uverbs0"));
    } else {
        CHECK((*tree)->devices.size() == 4); // null, zero, urandom and uverbs0
    }
    CHECK(*read_file(folder.path() / "roots/r/dev/infiniband/uverbs0") == "");
}
