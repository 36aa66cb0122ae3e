#include "kubesim/case_file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace di::kubesim {
namespace {

/// False when the pair is none that a server map can hold.
bool add_rule(Faults& faults, const std::string& resource, const std::string& rule) {
    if (rule == "forbidden") {
        faults.forbidden.push_back({"", resource, ""});
        return true;
    }
    if (rule == "not-found" && resource == "dynamographdeployments") {
        faults.no_crd = true;
        return true;
    }
    return rule == "served";
}

} // namespace

Outcome add_case_faults(Faults& faults, const std::filesystem::path& file) {
    if (!std::filesystem::exists(file)) {
        return Done{};
    }
    try {
        const auto server = YAML::LoadFile(file.string())["server"];
        for (const auto& entry : server) {
            const auto resource = entry.first.as<std::string>();
            const auto rule = entry.second.as<std::string>();
            if (!add_rule(faults, resource, rule)) {
                return Error{ErrorKind::config,
                             "bad server map",
                             file.string(),
                             fmt::format("{}: {}", resource, rule),
                             ""};
            }
        }
    } catch (const YAML::Exception& error) {
        return Error{ErrorKind::parse, "cannot read YAML", file.string(), error.what(), ""};
    }
    return Done{};
}

} // namespace di::kubesim
