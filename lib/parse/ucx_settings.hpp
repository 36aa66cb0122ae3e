// UCX_TLS and UCX_NET_DEVICES as UCX itself reads them.
#pragma once

#include "model/environment.hpp"

#include <string_view>

namespace di::parse {

/// UCX src/ucp/core/ucp_context.c: names are compared exactly, without trimming. `^` in front of
/// the whole value denies, `\name` is a transport and never an alias, `:aux` allows wire-up only. A
/// denied ud transport that others need for wire-up stays auxiliary. `all` counts only alone (UCX
/// refuses "all,tcp", and passes over "tcp,all").
model::UcxTls parse_ucx_tls(std::string_view value);

/// Entries are DEVICE:PORT or a network interface, compared exactly. A leading `^` (UCX 1.21) and
/// ranges such as mlx5_[0-3]:1 (UCX 1.22) are read in every version; the model says which were
/// used.
model::UcxNetDevices parse_ucx_net_devices(std::string_view value);

} // namespace di::parse
