#include "kubesim/case_file.hpp"
#include "sample.hpp"

using namespace di::kubesim;
using di::kubesim::test::Folder;

TEST_CASE("a server map denies and removes resources", "[kubesim][case]") {
    const Folder folder;
    folder.write(
        "case.yaml",
        "id: x\nserver: {pods: served, nodes: forbidden, dynamographdeployments: not-found}\n");
    Faults faults;
    REQUIRE(add_case_faults(faults, folder.path() / "case.yaml").ok());
    REQUIRE(faults.forbidden.size() == 1);
    CHECK(faults.forbidden[0].resource == "nodes");
    CHECK(faults.no_crd);
}

TEST_CASE("no file and no map change nothing", "[kubesim][case]") {
    const Folder folder;
    Faults faults;
    CHECK(add_case_faults(faults, folder.path() / "case.yaml").ok());
    folder.write("case.yaml", "id: x\n");
    CHECK(add_case_faults(faults, folder.path() / "case.yaml").ok());
    CHECK(faults.forbidden.empty());
    CHECK_FALSE(faults.no_crd);
}

TEST_CASE("a broken case file is an error that names it", "[kubesim][case]") {
    const auto* const text = GENERATE("server: {pods: broken}\n",
                                      "server: {pods: not-found}\n",
                                      "server: {pods: [1]}\n",
                                      "server: {pods",
                                      "\tx");
    CAPTURE(text);
    const Folder folder;
    folder.write("case.yaml", text);
    Faults faults;
    const auto added = add_case_faults(faults, folder.path() / "case.yaml");
    REQUIRE_FALSE(added.ok());
    CHECK(added.error().object.find("case.yaml") != std::string::npos);
}
