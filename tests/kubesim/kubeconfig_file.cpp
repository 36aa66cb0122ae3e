#include "kubesim/kubeconfig_file.hpp"

#include "kubesim/encoding.hpp"
#include "kubesim/handles.hpp"

#include <fmt/format.h>

#include <fcntl.h>

#include <cerrno>
#include <cstring>

namespace di::kubesim {

Outcome write_kubeconfig(const std::filesystem::path& path, const Credentials& credentials) {
    const auto text = fmt::format(R"(apiVersion: v1
kind: Config
clusters:
- name: kubesim
  cluster:
    server: {}
    certificate-authority-data: {}
users:
- name: kubesim
  user:
    token: {}
contexts:
- name: kubesim
  context:
    cluster: kubesim
    user: kubesim
    namespace: dynamo-demo
current-context: kubesim
)",
                                  credentials.server,
                                  base64(credentials.ca_pem),
                                  credentials.token);
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file.open() ||
        ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        return Error{ErrorKind::config, "cannot write", path.string(), std::strerror(errno), ""};
    }
    return Done{};
}

} // namespace di::kubesim
