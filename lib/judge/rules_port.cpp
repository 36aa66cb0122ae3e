// Port state, address and rate of the ports that KV may use.
#include "base/strings.hpp"
#include "judge/catalogue/ib.hpp"
#include "judge/hcas.hpp"
#include "judge/port_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace di::judge::ib {
namespace {

using model::LinkLayer;
using model::SkipReason;

constexpr double k_slow_gbps = 100.0; // no data-centre GPU node ships with less (HDR100, 100GbE)

Ports ports_of(const PodView& view) {
    return select_ports(*port_source(view.seen), view.seen, view.path);
}

/// Where a subnet manager is missing, the ports say so themselves.
std::optional<model::NextStep> ask_for_subnet_manager(const PodView& view,
                                                      const std::vector<PortRef>& ports) {
    if (!std::all_of(ports.begin(), ports.end(), waits_for_subnet_manager)) {
        return std::nullopt;
    }
    return look_inside(view.context,
                       view.worker,
                       "grep -H . /sys/class/infiniband/*/ports/*/sm_lid",
                       "sm_lid 0x0 confirms it: start the subnet manager (opensm, UFM) of this "
                       "fabric, or repair the way to it");
}

enum class Address { good, weak, none, unreadable };

Address address_of_infiniband(const PortRef& port) {
    if (!port.port->lid) {
        return Address::unreadable;
    }
    return *port.port->lid != 0 ? Address::good : Address::none;
}

Address address_of_roce(const PortRef& port, const model::PodObservation& seen) {
    if (!port.port->gids_readable) {
        return Address::unreadable;
    }
    Address best = Address::none;
    for (const auto& gid : port.port->gids) {
        if (!lives_in_pod(gid, seen)) {
            continue;
        }
        if (gid.type == model::GidType::unknown) {
            best = best == Address::none ? Address::unreadable : best;
        } else if (gid.type == model::GidType::roce_v2 && is_routable(gid)) {
            return Address::good;
        } else {
            best = Address::weak;
        }
    }
    return best;
}

/// All ports lack an address: why depends on the fabric, and so does where to look.
Finding no_address(const PodView& view, const std::vector<PortRef>& ports) {
    const auto infiniband = std::count_if(ports.begin(), ports.end(), [](const PortRef& port) {
        return port.port->link_layer == LinkLayer::infiniband;
    });
    const auto names = join(ids_of(ports), ", ");
    if (infiniband > 0) {
        return fail("Active, but with LID 0: " + names)
            .then(look_inside(view.context,
                              view.worker,
                              "grep -H . /sys/class/infiniband/*/ports/*/lid "
                              "/sys/class/infiniband/*/ports/*/sm_lid",
                              "LID 0 on an Active port is a subnet manager or bonding fault: ask "
                              "for the port in its log, or leave the device out of "
                              "UCX_NET_DEVICES"));
    }
    return fail("Active, but without a GID whose network interface is in this pod: " + names)
        .then(
            look_inside(view.context,
                        view.worker,
                        "grep -H . /sys/class/infiniband/*/ports/*/gid_attrs/ndevs/* 2>/dev/null; "
                        "ls /sys/class/net",
                        "attach the NIC's interface to the pod (SR-IOV, host-device, macvlan) and "
                        "give it an address"));
}

Address address_of(const PortRef& port, const model::PodObservation& seen) {
    return port.port->link_layer == LinkLayer::infiniband ? address_of_infiniband(port)
                                                          : address_of_roce(port, seen);
}

} // namespace

const Unseen* needs_ports(const PodView& view) {
    return port_source(view.seen).unseen();
}

/// EFA needs no GID choice, and rates of virtual devices say little.
std::optional<std::string> unless_rated(const PodView& view) {
    if (auto why = unless_network(view)) {
        return why;
    }
    const auto& source = port_source(view.seen);
    if (!source) {
        return std::nullopt;
    }
    const auto usable = active_of(select_ports(*source, view.seen, view.path).used);
    if (usable.empty()) {
        return "no port is Active";
    }
    const bool efa = std::all_of(
        usable.begin(), usable.end(), [](const auto& port) { return is_efa(*port.device); });
    return efa ? std::optional<std::string>("EFA devices are not judged by this") : std::nullopt;
}

std::optional<std::string> unless_addressed(const PodView& view) {
    return unless_rated(view);
}

Finding judge_link(const PodView& view) {
    const auto ports = ports_of(view);
    const auto count = ports.used.size();
    const auto up = active_of(ports.used).size();
    if (count == 0) {
        return with_port_facts(ports, fail("no RDMA device in the kernel"));
    }
    if (up == count) {
        return with_port_facts(ports, ok(fmt::format("{} ports Active and LinkUp", up)));
    }
    if (up > 0) {
        return with_port_facts(
            ports,
            warn(fmt::format(
                "{} of {} ports not Active: {}", count - up, count, why_not_active(ports.used))));
    }
    auto finding = no_port_active(ports.used);
    finding.next = ask_for_subnet_manager(view, ports.used);
    return with_port_facts(ports, std::move(finding));
}

Finding judge_address(const PodView& view) {
    const auto usable = active_of(ports_of(view).used);
    std::map<Address, std::vector<std::string>> by_kind;
    std::vector<std::string> not_good;
    for (const auto& port : usable) {
        const auto address = address_of(port, view.seen);
        by_kind[address].push_back(port.id());
        if (address != Address::good) {
            not_good.push_back(port.id());
        }
    }
    const auto good = by_kind[Address::good];
    const auto facts = [&](Finding finding) {
        return std::move(finding)
            .with("addressed", good)
            .because("gids, lid", fmt::format("{} of {} ports", good.size(), usable.size()));
    };
    if (not_good.empty()) {
        return facts(ok(fmt::format("{} ports have a usable address", good.size())));
    }
    if (!good.empty()) {
        return facts(warn("no usable address on " + join(not_good, ", ")));
    }
    if (!by_kind[Address::unreadable].empty()) {
        return facts(skipped(SkipReason::unreadable,
                             "LID or GID types of the Active ports are not readable"));
    }
    if (!by_kind[Address::weak].empty()) {
        return facts(warn("only RoCE v1 or link-local GIDs: they do not pass a router"));
    }
    return facts(no_address(view, usable));
}

Finding judge_rate(const PodView& view) {
    double slowest = 0;
    double fastest = 0;
    std::string slow_port;
    for (const auto& port : active_of(ports_of(view).used)) {
        const auto rate = port.port->rate_gbps.value_or(0);
        if (rate <= 0) {
            continue;
        }
        if (slowest == 0 || rate < slowest) {
            slowest = rate;
            slow_port = port.id();
        }
        fastest = std::max(fastest, rate);
    }
    if (fastest == 0) {
        return skipped(SkipReason::unreadable, "no Active port shows its rate");
    }
    const auto facts = [&](Finding finding) {
        return std::move(finding)
            .with("min_gbps", gbps_value(slowest))
            .with("max_gbps", gbps_value(fastest))
            .because("rate", fmt::format("{} Gb/s at {}", slowest, slow_port));
    };
    if (slowest < fastest) {
        return facts(warn(fmt::format(
            "{} runs at {:g} Gb/s, its siblings at {:g}", slow_port, slowest, fastest)));
    }
    if (slowest < k_slow_gbps) {
        return facts(warn(fmt::format("ports run at {:g} Gb/s only", slowest)));
    }
    return facts(ok(fmt::format("{:g} Gb/s a port", slowest)));
}

} // namespace di::judge::ib
