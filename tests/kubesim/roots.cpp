#include "kubesim/roots.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <deque>

namespace di::kubesim {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_options_file = ".kubesim";
constexpr std::string_view k_own_files = ".kubesim"; // prefix of all files meant for kubesim

struct Device {
    std::string_view name; ///< under /dev
    const char* source;
    unsigned minor; ///< of major 1, see the kernel's admin-guide/devices.txt
};

constexpr Device k_null{"null", "/dev/null", 3};
constexpr std::array<Device, 3> k_basic_devices{
    {k_null, {"zero", "/dev/zero", 5}, {"urandom", "/dev/urandom", 9}}};

const Device& device_called(std::string_view name) {
    const auto* const found = std::find_if(k_basic_devices.begin(),
                                           k_basic_devices.end(),
                                           [&](const Device& d) { return d.name == name; });
    return found == k_basic_devices.end() ? k_null : *found;
}

bool make_node(const fs::path& path, const Device& device) {
    fs::remove(path);
    return ::mknod(path.c_str(), S_IFCHR | 0666, ::makedev(1, device.minor)) == 0 &&
           ::chmod(path.c_str(), 0666) == 0;
}

/// The dynamic loader and the C library that this program itself runs with: dash needs the same.
std::vector<fs::path> loader_and_libc() {
    std::vector<fs::path> found;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
            const fs::path path(info->dlpi_name);
            const auto name = path.filename().string();
            if (name.rfind("ld-linux", 0) == 0 || name.rfind("libc.so", 0) == 0) {
                static_cast<std::vector<fs::path>*>(out)->push_back(path);
            }
            return 0;
        },
        &found);
    return found;
}

std::vector<std::string> busybox_applets() {
    std::string text;
    if (FILE* const list = ::popen("exec /bin/busybox --list", "r")) {
        std::array<char, 4096> chunk{};
        while (const auto count = std::fread(chunk.data(), 1, chunk.size(), list)) {
            text.append(chunk.data(), count);
        }
        ::pclose(list);
    }
    const auto names = lines(text);
    return {names.begin(), names.end()};
}

bool exists_or_link(const fs::path& path) {
    return fs::symlink_status(path).type() != fs::file_type::not_found;
}

} // namespace

Result<RootOptions> parse_root_options(std::string_view text) {
    static const std::map<std::string_view, Shell> k_shells{{"full", Shell::full},
                                                            {"busybox", Shell::busybox},
                                                            {"sh-only", Shell::sh_only},
                                                            {"none", Shell::none}};
    RootOptions options;
    for (const auto line : lines(text)) {
        const auto colon = line.find(':');
        const auto key = trim(line.substr(0, colon));
        const auto value =
            colon == std::string_view::npos ? std::string_view() : trim(line.substr(colon + 1));
        const auto shell = k_shells.find(value);
        const auto uid = parse_unsigned(value);
        if (key == "shell" && shell != k_shells.end()) {
            options.shell = shell->second;
        } else if (key == "uid" && uid) {
            options.uid = static_cast<unsigned>(*uid);
        } else if (!key.empty()) {
            return Error{ErrorKind::config, "unknown root option", std::string(line), "", ""};
        }
    }
    return options;
}

fs::path resolve_inside(const fs::path& root, const fs::path& path) {
    constexpr int k_most_links = 40;
    const auto relative = path.relative_path();
    std::deque<fs::path> todo(relative.begin(), relative.end());
    fs::path inside; // relative to root
    for (int links = 0; !todo.empty() && links < k_most_links;) {
        const auto part = todo.front();
        todo.pop_front();
        if (part == "..") {
            inside = inside.parent_path();
            continue;
        }
        if (!fs::is_symlink(fs::symlink_status(root / inside / part))) {
            inside /= part;
            continue;
        }
        ++links;
        const auto target = fs::read_symlink(root / inside / part);
        if (target.is_absolute()) {
            inside.clear();
        }
        const auto steps = target.relative_path();
        todo.insert(todo.begin(), steps.begin(), steps.end());
    }
    return root / inside;
}

Isolation detect_isolation(const fs::path& workspace) {
    const auto node = workspace / "null";
    if (::geteuid() == 0 && make_node(node, k_null) &&
        UniqueFd(::open(node.c_str(), O_RDWR | O_CLOEXEC)).open()) {
        return Isolation::chroot;
    }
    // A tree with nothing in it: the command is not found there, unless it could not be entered.
    const auto empty = workspace / "empty";
    fs::create_directory(empty);
    RootTree tree{empty, 0, Isolation::user_namespace, {}};
    const auto tried = Process::start({.tree = &tree, .argv = {"/nothing"}});
    return !tried && contains(tried.error().cause, "/nothing") ? Isolation::user_namespace
                                                               : Isolation::unavailable;
}

/// The programs of this machine that trees get, as hard links to one copy of each.
class Roots::Toolbox {
public:
    explicit Toolbox(fs::path folder)
        : folder_(std::move(folder)) {
        fs::create_directory(folder_);
        for (const char* const program : {"/bin/busybox", "/bin/dash"}) {
            add(program);
        }
        for (const auto& library : loader_and_libc()) {
            add(library);
            libraries_.push_back(library);
        }
        if (fs::exists("/bin/busybox")) {
            applets_ = busybox_applets();
        }
    }

    /// Adds what `shell` says, and overwrites nothing.
    void install(const fs::path& root, Shell shell) const {
        if (shell == Shell::none) {
            return;
        }
        const bool dash = shell != Shell::busybox;
        if (dash) {
            put(root, "/bin/dash", "/bin/sh");
            for (const auto& library : libraries_) {
                put(root, library, library);
            }
        }
        if (shell == Shell::sh_only) {
            return;
        }
        put(root, "/bin/busybox", "/bin/busybox");
        const auto bin = resolve_inside(root, "/bin");
        for (const auto& applet : applets_) {
            const bool shell_applet = applet == "sh" || applet == "ash" || applet == "hush";
            if (!(dash && shell_applet) && !exists_or_link(bin / applet)) {
                fs::create_symlink("busybox", bin / applet);
            }
        }
    }

private:
    void add(const fs::path& program) const {
        if (fs::exists(program)) {
            fs::copy_file(program, folder_ / program.filename());
        }
    }

    void put(const fs::path& root, const fs::path& program, const fs::path& as) const {
        const auto folder = resolve_inside(root, as.parent_path());
        fs::create_directories(folder);
        const auto target = folder / as.filename();
        if (!exists_or_link(target) && fs::exists(folder_ / program.filename())) {
            fs::create_hard_link(folder_ / program.filename(), target);
        }
    }

    fs::path folder_;
    std::vector<fs::path> libraries_;
    std::vector<std::string> applets_;
};

Roots::Roots(fs::path directory, fs::path workspace, Isolation isolation)
    : directory_(std::move(directory)),
      workspace_(std::move(workspace)),
      isolation_(isolation),
      tools_(std::make_unique<Toolbox>(workspace_ / "tools")) {}

Roots::~Roots() = default;

fs::path Roots::source_of(const Object& pod) const {
    auto own = directory_ / "roots" / pod.ns / pod.name;
    if (fs::is_directory(own)) {
        return own;
    }
    return pod.root.empty() ? fs::path() : directory_ / "roots" / pod.root;
}

Outcome Roots::check(const Collection& pods) const {
    std::map<fs::path, bool> seen;
    for (const auto& pod : pods.objects) {
        const auto source = source_of(pod);
        if (source.empty() || !seen.emplace(source, true).second) {
            continue;
        }
        if (!fs::is_directory(source)) {
            return Error{
                ErrorKind::config, "no root tree", "pod " + pod.key(), source.string(), ""};
        }
        if (fs::exists(source / k_options_file)) {
            const auto text = read_file(source / k_options_file);
            const auto options = text ? parse_root_options(*text) : text.error();
            if (!options) {
                return options.error();
            }
        }
    }
    return Done{};
}

Result<const RootTree*> Roots::prepare(const Object& pod) {
    if (isolation_ == Isolation::unavailable) {
        return Error{ErrorKind::permission,
                     "cannot run commands in root trees",
                     "",
                     "needs root, or user namespaces that an ordinary user may make",
                     ""};
    }
    const auto source = source_of(pod);
    const std::lock_guard lock(mutex_);
    auto found = trees_.find(source);
    if (found == trees_.end()) {
        try {
            auto tree = make(source, workspace_ / fmt::format("root-{}", trees_.size()));
            if (!tree) {
                return tree.error();
            }
            found = trees_.emplace(source, std::move(*tree)).first;
        } catch (const fs::filesystem_error& error) {
            return Error{ErrorKind::internal, "cannot copy a root tree", "", error.what(), ""};
        }
    }
    return &found->second;
}

Result<RootTree> Roots::make(const fs::path& source, const fs::path& target) {
    RootOptions options;
    fs::create_directory(target);
    if (!source.empty()) {
        fs::copy(source, target, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
        if (const auto text = read_file(source / k_options_file)) {
            options = *parse_root_options(*text); // checked at the start
        }
        for (const auto& entry : fs::directory_iterator(source)) {
            const auto name = entry.path().filename().string();
            if (name.compare(0, k_own_files.size(), k_own_files) == 0) {
                fs::remove(target / name);
            }
        }
    }
    fs::permissions(target, fs::perms(0755));
    tools_->install(target, options.shell);
    if (!exists_or_link(target / "tmp")) {
        fs::create_directory(target / "tmp");
        fs::permissions(target / "tmp", fs::perms(01777));
    }
    fs::create_directories(target / "dev");
    for (const auto& device : k_basic_devices) {
        if (!exists_or_link(target / "dev" / device.name)) {
            UniqueFd(::open((target / "dev" / device.name).c_str(), O_CREAT | O_CLOEXEC, 0666));
        }
    }
    RootTree tree{target, options.uid, isolation_, {}};
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(target / "dev")) {
        if (!entry.is_symlink() && !entry.is_directory()) {
            files.push_back(entry.path());
        }
    }
    for (const auto& file : files) {
        const auto& device = device_called(fs::relative(file, target / "dev").string());
        if (isolation_ == Isolation::user_namespace) {
            tree.devices.push_back({file, device.source});
        } else if (!make_node(file, device)) {
            return Error{ErrorKind::internal, "cannot make a device node", file.string(), "", ""};
        }
    }
    return tree;
}

} // namespace di::kubesim
