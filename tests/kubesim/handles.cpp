#include "kubesim/handles.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace di::kubesim {

Result<TempDir> TempDir::make() {
    std::error_code error;
    const auto parent = std::filesystem::temp_directory_path(error);
    std::string pattern = (error ? std::filesystem::path("/tmp") : parent) / "kubesim-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
        return Error{
            ErrorKind::internal, "cannot make a directory", pattern, std::strerror(errno), ""};
    }
    return TempDir(pattern);
}

TempDir::~TempDir() {
    if (!path_.empty()) {
        std::error_code ignored; // a leftover in /tmp is no reason to fail a run
        std::filesystem::remove_all(path_, ignored);
    }
}

} // namespace di::kubesim
