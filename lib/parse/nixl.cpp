#include "parse/nixl.hpp"

#include "parse/tool_text.hpp"

#include <algorithm>

namespace di::parse {
namespace {

using model::NixlTools;
using model::PluginDirectory;
using model::Seen;

bool is_complaint(std::string_view line) {
    return line.starts_with("ls: ") || line.starts_with("find: ");
}

struct PathName {
    std::string_view directory;
    std::string_view name;
};

PathName split_path(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos
               ? PathName{{}, path}
               : PathName{path.substr(0, slash), path.substr(slash + 1)};
}

/// "libplugin_UCX.so" -> "UCX" (NIXL src/core/nixl_plugin_manager.cpp); no versioned or backup
/// names.
std::optional<std::string_view> plugin_name(std::string_view file) {
    constexpr std::string_view k_start = "libplugin_";
    constexpr std::string_view k_end = ".so";
    if (!file.starts_with(k_start) || !file.ends_with(k_end) ||
        file.size() <= k_start.size() + k_end.size()) {
        return std::nullopt;
    }
    return file.substr(k_start.size(), file.size() - k_start.size() - k_end.size());
}

class PluginReader {
public:
    void read(std::string_view text) {
        if (text.starts_with('/') && text.ends_with(':')) { // `ls` of several directories
            text.remove_suffix(1);
            heading_ = std::string(text);
            directory(heading_);
            return;
        }
        const auto names = words(text);
        prose_ = prose_ || names.size() > 1;
        for (const auto word : names) {
            const auto path = split_path(word);
            const auto name = plugin_name(path.name);
            auto& found =
                directory(path.directory.empty() ? heading_ : std::string(path.directory));
            if (name) {
                found.plugins.emplace_back(*name);
            }
        }
    }

    std::vector<PluginDirectory> finish() { return std::move(directories_); }

    /// A line of several words and no plugin anywhere: not a listing of plugins.
    [[nodiscard]] bool foreign() const {
        return prose_ && std::all_of(directories_.begin(),
                                     directories_.end(),
                                     [](const auto& found) { return found.plugins.empty(); });
    }

private:
    PluginDirectory& directory(const std::string& path) {
        const auto known =
            std::find_if(directories_.begin(), directories_.end(), [&](const auto& candidate) {
                return candidate.path == path;
            });
        return known != directories_.end() ? *known
                                           : directories_.emplace_back(PluginDirectory{path, {}});
    }

    std::vector<PluginDirectory> directories_;
    std::string heading_;
    bool prose_ = false;
};

bool says_absent(const ToolOutput& output) {
    const auto said = messages(output);
    return !said.empty() && std::all_of(said.begin(), said.end(), [](std::string_view line) {
        return is_complaint(line) && contains(line, "No such file or directory");
    });
}

} // namespace

Seen<std::vector<PluginDirectory>> parse_nixl_plugins(const ToolOutput& output) {
    if (auto silent = why_silent(output, "ls")) {
        return *silent;
    }
    const LineReader text(output.out);
    PluginReader reader;
    for (const auto& line : text.lines()) {
        if (!is_complaint(line.text) && (line.ended || line.text.ends_with(".so"))) {
            reader.read(trim(line.text));
        }
    }
    if (reader.foreign()) {
        return could_not_read(output, "ls");
    }
    auto directories = reader.finish();
    const bool listed = output.rc == 0 && messages(output).empty();
    if (!directories.empty() || says_absent(output)) {
        return directories;
    }
    return listed ? Seen<std::vector<PluginDirectory>>({PluginDirectory{}})
                  : could_not_read(output, "ls");
}

Seen<NixlTools> parse_nixl_tools(const ToolOutput& output) {
    const LineReader text(output.out);
    NixlTools tools;
    bool prose = false;
    for (const auto& line : text.lines()) {
        const auto word = trim(line.text);
        prose = prose || (words(word).size() > 1 && !is_complaint(word));
        if (word.empty() || !line.ended || words(word).size() > 1) {
            continue;
        }
        (word.starts_with('/') ? tools.programs : tools.directory).emplace_back(word);
    }
    if (!tools.programs.empty()) {
        return tools;
    }
    for (const std::string_view tool : {"sh", "bash", "ls"}) {
        if (auto silent = why_silent(output, tool)) {
            return *silent;
        }
    }
    const bool foreign = prose && tools.directory.empty() && output.rc == 0;
    return foreign ? Seen<NixlTools>(could_not_read(output, "sh")) : Seen<NixlTools>(tools);
}

} // namespace di::parse
