#include "parse/ucx_settings.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <array>

namespace di::parse {
namespace {

using model::UcxNetDevice;
using model::UcxNetDevices;
using model::UcxTls;

constexpr std::string_view k_aux = ":aux";

struct Alias {
    std::string_view name;
    std::array<std::string_view, 9> members; ///< those with ":aux" serve wire-up only
};

/// `ucp_tl_aliases` of UCX src/ucp/core/ucp_context.c, 1.12 to 1.22 together: a member that a
/// version lacks changes nothing there.
constexpr std::array k_aliases = {
    Alias{"mm", {"posix", "sysv", "xpmem"}},
    Alias{"sm", {"posix", "sysv", "xpmem", "knem", "cma"}},
    Alias{"shm", {"posix", "sysv", "xpmem", "knem", "cma"}},
    Alias{"ib",
          {"rc_verbs",
           "ud_verbs",
           "rc_mlx5",
           "ud_mlx5",
           "dc_mlx5",
           "gga_mlx5",
           "srd",
           "rc_gda",
           "ud_mlx5:aux"}},
    Alias{"ud_v", {"ud_verbs"}},
    Alias{"ud_x", {"ud_mlx5"}},
    Alias{"ud", {"ud_mlx5", "ud_verbs"}},
    Alias{"rc_v", {"rc_verbs", "ud_verbs:aux"}},
    Alias{"rc_x", {"rc_mlx5", "ud_mlx5:aux"}},
    Alias{"rc", {"rc_mlx5", "ud_mlx5:aux", "rc_verbs", "ud_verbs:aux"}},
    Alias{"dc", {"dc_mlx5", "ud_mlx5:aux"}},
    Alias{"dc_x", {"dc_mlx5", "ud_mlx5:aux"}},
    Alias{"gga", {"gga_mlx5"}},
    Alias{"cuda", {"cuda_copy", "cuda_ipc", "gdr_copy"}},
    Alias{"rocm", {"rocm_copy", "rocm_ipc", "rocm_gdr"}},
    Alias{"ze", {"ze_copy", "ze_ipc", "ze_gdr"}},
    Alias{"gaudi", {"gaudi_gdr"}},
    Alias{"ugni", {"ugni_smsg", "ugni_udt:aux", "ugni_rdma"}},
};

/// Transports that no alias lists.
constexpr std::array<std::string_view, 2> k_alone = {"tcp", "self"};

/// Connection managers: they are no transports, and their names in UCX_TLS do no harm.
constexpr std::array<std::string_view, 2> k_managers = {"rdmacm", "sockcm"};

bool is_alias(std::string_view name) {
    return std::any_of(
        k_aliases.begin(), k_aliases.end(), [&](const Alias& alias) { return alias.name == name; });
}

std::set<std::string, std::less<>> known_transports() {
    std::set<std::string, std::less<>> known(k_alone.begin(), k_alone.end());
    for (const auto& alias : k_aliases) {
        for (const auto member : alias.members) {
            known.emplace(member.substr(0, member.find(':')));
        }
    }
    known.erase("");
    return known;
}

/// What a list says of one transport (`ucp_transports_list_search`).
struct Mention {
    bool primary = false;      ///< by itself or by an alias
    bool as_auxiliary = false; ///< NAME:aux, or ALIAS:aux
    bool helps_alias = false;  ///< an alias in the list needs it for wire-up
};

bool lists(const std::vector<std::string>& tokens, std::string_view name, std::string_view suffix) {
    return std::any_of(tokens.begin(), tokens.end(), [&](std::string_view token) {
        return token.starts_with(name) && token.substr(name.size()) == suffix;
    });
}

bool has_member(const Alias& alias, std::string_view name, std::string_view suffix) {
    return std::any_of(alias.members.begin(), alias.members.end(), [&](std::string_view member) {
        return member.starts_with(name) && member.substr(name.size()) == suffix;
    });
}

Mention look_up(const std::vector<std::string>& tokens, const std::string& transport) {
    const std::string strict = '\\' + transport;
    Mention found;
    found.primary = lists(tokens, transport, "") || lists(tokens, strict, "");
    found.as_auxiliary = lists(tokens, transport, k_aux) || lists(tokens, strict, k_aux);
    for (const auto& alias : k_aliases) {
        if (lists(tokens, alias.name, "")) {
            found.primary = found.primary || has_member(alias, transport, "");
            found.helps_alias = found.helps_alias || has_member(alias, transport, k_aux);
        }
        if (lists(tokens, alias.name, k_aux)) {
            found.as_auxiliary = found.as_auxiliary || has_member(alias, transport, "");
        }
    }
    return found;
}

bool serves_wire_up(std::string_view transport) {
    return std::any_of(k_aliases.begin(), k_aliases.end(), [&](const Alias& alias) {
        return has_member(alias, transport, k_aux);
    });
}

void apply_allow_list(UcxTls& tls, const std::string& transport, const Mention& mention) {
    if (mention.primary) {
        tls.transports.insert(transport);
    } else if (mention.as_auxiliary || mention.helps_alias) {
        tls.auxiliary.insert(transport);
    }
}

void apply_deny_list(UcxTls& tls, const std::string& transport, const Mention& mention) {
    if (!mention.primary) {
        tls.transports.insert(transport);
    } else if (serves_wire_up(transport) && !mention.as_auxiliary) {
        tls.auxiliary.insert(transport);
    }
}

bool is_known(std::string_view token, const std::set<std::string, std::less<>>& transports) {
    if (token.ends_with(k_aux)) {
        token.remove_suffix(k_aux.size());
    }
    const bool strict = token.starts_with('\\');
    token.remove_prefix(strict ? 1 : 0);
    const bool manager = std::find(k_managers.begin(), k_managers.end(), token) != k_managers.end();
    return transports.contains(token) || manager || (!strict && is_alias(token));
}

/// As strtok splits: empty parts vanish, blanks stay.
std::vector<std::string> list_items(std::string_view value) {
    std::vector<std::string> items;
    for (const auto part : split(value, ',')) {
        if (!part.empty()) {
            items.emplace_back(part);
        }
    }
    return items;
}

/// "mlx5_[0-3]:1" -> mlx5_0:1 ... mlx5_3:1; anything else is itself.
std::vector<std::string> expand_range(const std::string& item) {
    constexpr std::uint64_t k_widest = 256;
    const auto open = item.find('[');
    const auto dash = item.find('-', std::min(open, item.size()));
    const auto close = item.find(']', std::min(dash, item.size()));
    if (close == std::string::npos) {
        return {item};
    }
    const std::string_view text = item;
    const auto first = parse_unsigned(text.substr(open + 1, dash - open - 1));
    const auto last = parse_unsigned(text.substr(dash + 1, close - dash - 1));
    if (!first || !last || *last < *first || *last - *first >= k_widest) {
        return {item};
    }
    std::vector<std::string> expanded;
    for (auto number = *first; number <= *last; ++number) {
        expanded.push_back(item.substr(0, open) + std::to_string(number) + item.substr(close + 1));
    }
    return expanded;
}

UcxNetDevice net_device(const std::string& item) {
    UcxNetDevice entry{item, item, {}};
    const auto colon = item.rfind(':');
    if (colon != std::string::npos) {
        const auto port = parse_unsigned(std::string_view(item).substr(colon + 1));
        if (port && *port > 0 && *port <= 255) {
            entry.device = item.substr(0, colon);
            entry.port = static_cast<int>(*port);
        }
    }
    return entry;
}

} // namespace

UcxTls parse_ucx_tls(std::string_view value) {
    UcxTls tls;
    tls.text = value;
    tls.deny = value.starts_with('^');
    tls.tokens = list_items(tls.deny ? value.substr(1) : value);
    const auto known = known_transports();
    tls.all = tls.tokens == std::vector<std::string>{"all"};
    if (tls.all) {
        tls.transports.insert(known.begin(), known.end());
        return tls;
    }
    std::copy_if(tls.tokens.begin(),
                 tls.tokens.end(),
                 std::back_inserter(tls.unknown),
                 [&](const std::string& token) { return !is_known(token, known); });
    if (tls.tokens.empty()) {
        return tls; // UCX refuses to start: "The TLs list is empty"
    }
    for (const auto& transport : known) {
        const auto mention = look_up(tls.tokens, transport);
        tls.deny ? apply_deny_list(tls, transport, mention)
                 : apply_allow_list(tls, transport, mention);
    }
    tls.all = tls.deny && tls.transports.size() == known.size();
    return tls;
}

UcxNetDevices parse_ucx_net_devices(std::string_view value) {
    UcxNetDevices devices;
    devices.text = value;
    devices.deny = value.starts_with('^');
    for (const auto& item : list_items(devices.deny ? value.substr(1) : value)) {
        devices.all = devices.all || item == "all";
        const auto expanded = expand_range(item);
        devices.ranges = devices.ranges || expanded != std::vector<std::string>{item};
        for (const auto& entry : expanded) {
            devices.entries.push_back(net_device(entry));
        }
    }
    return devices;
}

} // namespace di::parse
