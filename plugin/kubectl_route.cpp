#include "kubectl_route.hpp"

#include "base/strings.hpp"
#include "kube/exec_outcome.hpp"
#include "kubeconfig/base64.hpp"
#include "model/value.hpp"
#include "render/json.hpp"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

namespace di::app {
namespace {

using model::SkipReason;
using model::Value;

void set_text(Value& object, std::string_view name, const std::string& text) {
    if (!text.empty()) {
        object.set(std::string(name), text);
    }
}

void set_data(Value& object, std::string_view name, const std::string& bytes) {
    set_text(object, name, kubeconfig::to_base64(bytes));
}

Value cluster_of(const model::ClientConfig& config) {
    Value cluster;
    cluster.set("server", config.server);
    set_data(cluster, "certificate-authority-data", config.ca_pem);
    set_text(cluster, "tls-server-name", config.tls_server_name);
    set_text(cluster, "proxy-url", config.proxy.proxy_url);
    if (config.verification == model::TlsVerification::skip) {
        cluster.set("insecure-skip-tls-verify", true);
    }
    return cluster;
}

Value texts(const std::vector<std::string>& list) {
    return Value(Value::Array(list.begin(), list.end()));
}

void set_impersonation(Value& user, const model::Impersonation& as) {
    set_text(user, "as", as.user);
    set_text(user, "as-uid", as.uid);
    if (!as.groups.empty()) {
        user.set("as-groups", texts(as.groups));
    }
    std::map<std::string, std::vector<std::string>> extra;
    for (const auto& [key, value] : as.extra) {
        extra[key].push_back(value);
    }
    Value all;
    for (const auto& [key, values] : extra) {
        all.set(key, texts(values));
    }
    if (!extra.empty()) {
        user.set("as-user-extra", std::move(all));
    }
}

Value user_of(const model::ClientConfig& config) {
    const auto& credentials = config.credentials;
    Value user;
    set_text(user, "token", credentials.token.reveal());
    set_text(user, "username", credentials.username);
    set_text(user, "password", credentials.password.reveal());
    set_data(user, "client-certificate-data", credentials.certificate_pem);
    set_data(user, "client-key-data", credentials.key_pem.reveal());
    set_impersonation(user, config.impersonation);
    return user;
}

/// A file without a name; children inherit its descriptor. -1 and errno when there is none.
int file_in_memory(const std::string& text) {
    const int file = memfd_create("kubeconfig", 0);
    if (file < 0) {
        return -1;
    }
    std::size_t done = 0;
    while (done < text.size()) {
        const auto count = write(file, text.data() + done, text.size() - done);
        if (count < 0 && errno != EINTR) {
            close(file);
            return -1;
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }
    return file;
}

struct Meaning {
    std::string_view part; ///< of what kubectl says; first match wins
    SkipReason reason;
};

constexpr std::array k_meanings{
    Meaning{"Forbidden", SkipReason::no_permission},
    Meaning{"must be logged in", SkipReason::no_permission},
    Meaning{"executable file not found", SkipReason::tool_missing},
    Meaning{"not found", SkipReason::not_running},
    Meaning{"completed pod", SkipReason::not_running},
};

} // namespace

std::string resolved_kubeconfig(const model::ClientConfig& config) {
    constexpr std::string_view k_name = "resolved";
    const auto named = [&](std::string_view kind, Value content) {
        Value entry;
        entry.set("name", k_name).set(std::string(kind), std::move(content));
        return Value(Value::Array{std::move(entry)});
    };
    Value context;
    context.set("cluster", k_name).set("user", k_name).set("namespace", config.ns);
    Value file;
    file.set("apiVersion", "v1").set("kind", "Config").set("current-context", k_name);
    file.set("contexts", named("context", std::move(context)));
    file.set("clusters", named("cluster", cluster_of(config)));
    file.set("users", named("user", user_of(config)));
    return render::render_json(file);
}

Result<KubectlRoute> KubectlRoute::open(const cli::Invocation& invocation,
                                        const model::ClientConfig& config) {
    if (!invocation.connection.token && !invocation.connection.proxy_url) {
        return KubectlRoute(invocation.kubectl_prefix, -1);
    }
    const int file = file_in_memory(resolved_kubeconfig(config));
    if (file < 0) {
        return Error{
            ErrorKind::config, "cannot pass the credentials on", "kubectl", strerror(errno), ""};
    }
    return KubectlRoute({"kubectl", "--kubeconfig", fmt::format("/proc/self/fd/{}", file)}, file);
}

KubectlRoute::KubectlRoute(KubectlRoute&& other) noexcept
    : prefix_(std::move(other.prefix_)),
      config_(std::exchange(other.config_, -1)) {}

KubectlRoute::~KubectlRoute() {
    if (config_ >= 0) {
        close(config_);
    }
}

std::vector<std::string> KubectlRoute::command(const model::ProbeTask& task) const {
    auto argv = prefix_;
    argv.insert(argv.end(), {"-n", task.ns, "exec", task.pod, "-c", task.container, "--"});
    argv.insert(argv.end(), task.argv.begin(), task.argv.end());
    return argv;
}

std::vector<std::string> KubectlRoute::variables() {
    // One POST in the audit log, not a refused GET before it.
    return {"KUBECTL_REMOTE_COMMAND_WEBSOCKETS=false"};
}

model::RawResult KubectlRoute::read(model::RawResult result, const model::ProbeTask& task) {
    if (result.outcome != model::ExecOutcome::completed || result.exit_code == 0 ||
        !result.out.empty()) {
        return result;
    }
    model::RawResult refusal;
    refusal.outcome = model::ExecOutcome::refused;
    const auto said = kube::without_command(std::move(result.err), task);
    refusal.detail = excerpt(trim(said), 300);
    for (const auto& meaning : k_meanings) {
        if (contains(refusal.detail, meaning.part)) {
            refusal.refusal = meaning.reason;
            break;
        }
    }
    return refusal;
}

} // namespace di::app
