// From a selected user to what goes on the wire.
#pragma once

#include "base/result.hpp"
#include "kubeconfig/exec_plugin.hpp"
#include "kubeconfig/select.hpp"
#include "kubeconfig/surroundings.hpp"

#include <string>
#include <string_view>

namespace di::kubeconfig {

/// A PEM text given in base64 or as a file; "" when neither is. `what` and `owner` are for errors:
/// "unable to read certificate-authority FILE for OWNER due to ...".
struct PemSource {
    std::string_view what;
    std::string_view owner;
    std::string_view data;
    const std::string& file;
};

Result<std::string> load_pem(const PemSource& source, const Surroundings& surroundings);

struct LoadedCredentials {
    model::Credentials credentials;
    model::CredentialRenewal renew; ///< empty when they cannot change
};

/// Reads token and certificate files; runs the user's plugin when nothing else proves who they
/// are. Over plain http nothing secret is sent, so nothing is obtained.
Result<LoadedCredentials> load_credentials(const Selection& selection,
                                           const ClusterInfo& cluster,
                                           const Surroundings& surroundings);

} // namespace di::kubeconfig
