#include "kubeconfig/credentials.hpp"

#include "base/strings.hpp"
#include "kubeconfig/base64.hpp"

#include <fmt/format.h>

#include <memory>

namespace di::kubeconfig {
namespace {

constexpr std::chrono::seconds k_token_file_lifetime{60}; // kubelets rotate tokens in the file

Error config_error(std::string what, std::string cause) {
    return {
        ErrorKind::config, std::move(what), "", std::move(cause), "kubectl config view --minify"};
}

/// The trimmed content, or nothing when it cannot be read or is empty.
std::string read_token(const std::string& path, const Surroundings& surroundings) {
    return path.empty() ? std::string() : trimmed(surroundings.read_file(path).text);
}

/// Reads the user's token file again and again. While it cannot be read, the last token that it
/// held is used, at first the one written in the kubeconfig.
model::CredentialRenewal token_file_reader(const model::Credentials& others,
                                           const User& user,
                                           const Surroundings& surroundings) {
    auto last = std::make_shared<model::Credentials>(others);
    last->token = user.token;
    last->lifetime = k_token_file_lifetime;
    return [last, path = user.token_file, surroundings]() -> Result<model::Credentials> {
        if (const auto token = read_token(path, surroundings); !token.empty()) {
            last->token = model::Secret(token);
        }
        return *last;
    };
}

/// Both at once where both are broken: one run tells all that has to be put right.
Error with_second(Error first, const Result<std::string>& second) {
    if (!second) {
        const auto& more = second.error();
        first.cause += fmt::format("; {}: {}", more.what, more.cause);
    }
    return first;
}

} // namespace

Result<std::string> load_pem(const PemSource& source, const Surroundings& surroundings) {
    std::string pem;
    if (!source.data.empty()) {
        auto decoded = from_base64(source.data);
        if (const auto* bad = std::get_if<BadBase64>(&decoded)) {
            return config_error(fmt::format("invalid {}-data for {}", source.what, source.owner),
                                fmt::format("illegal base64 data at input byte {}", bad->at));
        }
        pem = std::get<std::string>(std::move(decoded));
    } else if (!source.file.empty()) {
        auto file = surroundings.read_file(source.file);
        if (file.outcome != FileText::Outcome::read) {
            return config_error(
                fmt::format("unable to read {} {} for {}", source.what, source.file, source.owner),
                file.detail);
        }
        pem = std::move(file.text);
    } else {
        return pem;
    }
    if (!contains(pem, "-----BEGIN ")) {
        return config_error(fmt::format("unable to load {} for {}", source.what, source.owner),
                            "unable to parse bytes as PEM block");
    }
    return pem;
}

Result<LoadedCredentials> load_credentials(const Selection& selection,
                                           const ClusterInfo& cluster,
                                           const Surroundings& surroundings) {
    LoadedCredentials loaded;
    const User& user = selection.user;
    if (to_lower(selection.cluster.server).compare(0, 8, "https://") != 0) {
        return loaded;
    }
    auto& credentials = loaded.credentials;
    auto certificate =
        load_pem({"client-cert", selection.user_name, user.certificate_data, user.certificate_file},
                 surroundings);
    auto key = load_pem({"client-key", selection.user_name, user.key_data.reveal(), user.key_file},
                        surroundings);
    if (!certificate) {
        return with_second(certificate.error(), key);
    }
    if (!key) {
        return key.error();
    }
    credentials.certificate_pem = std::move(*certificate);
    credentials.key_pem = model::Secret(std::move(*key));
    credentials.token = user.token;
    credentials.username = user.username;
    credentials.password = user.password;
    if (!user.token_file.empty()) {
        loaded.renew = token_file_reader(credentials, user, surroundings);
        credentials = *loaded.renew();
        if (credentials.token.empty()) {
            return Error{ErrorKind::auth,
                         "cannot read the token",
                         user.token_file,
                         surroundings.read_file(user.token_file).detail,
                         shell_command({"ls", "-l", user.token_file})};
        }
        return loaded;
    }
    const bool proven =
        !user.token.empty() || !user.username.empty() || !credentials.certificate_pem.empty();
    if (user.exec && !proven) {
        loaded.renew = [plugin = *user.exec, cluster, surroundings] {
            return run_plugin(plugin, cluster, surroundings);
        };
        auto obtained = loaded.renew();
        if (!obtained) {
            return obtained.error();
        }
        credentials = std::move(*obtained);
    }
    return loaded;
}

} // namespace di::kubeconfig
