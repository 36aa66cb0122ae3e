#include "judge/pod_rule.hpp"

#include <fmt/format.h>

namespace di::judge {

using model::Status;

Finding&& Finding::with(std::string_view key, model::Value value) && {
    facts.set(key, std::move(value));
    return std::move(*this);
}

Finding&& Finding::because(std::string source, std::string excerpt) && {
    evidence.push_back({std::move(source), std::move(excerpt)});
    return std::move(*this);
}

Finding&& Finding::then(model::NextStep step) && {
    next = std::move(step);
    return std::move(*this);
}

namespace {

Finding make(Status status, std::string detail) {
    Finding finding;
    finding.status = status;
    finding.detail = std::move(detail);
    return finding;
}

} // namespace

Finding ok(std::string detail) {
    return make(Status::ok, std::move(detail));
}

Finding warn(std::string detail) {
    return make(Status::warn, std::move(detail));
}

Finding fail(std::string detail) {
    return make(Status::fail, std::move(detail));
}

Finding skipped(model::SkipReason reason, std::string detail) {
    auto finding = make(Status::skipped, std::move(detail));
    finding.reason = reason;
    return finding;
}

Finding skipped(const model::Unseen& unseen, std::string_view what) {
    const auto why = unseen.why.empty() ? std::string(to_string(unseen.reason)) : unseen.why;
    return skipped(unseen.reason, fmt::format("{}: {}", what, why));
}

std::optional<std::string> unless_kv_moves(const PodView& view) {
    if (view.path.kind == PathKind::none) {
        return view.path.why_none;
    }
    return std::nullopt;
}

std::optional<std::string> unless_network(const PodView& view) {
    if (view.path.kind == PathKind::nvlink) {
        return "KV goes over multi-node NVLink here, not through a network device";
    }
    return unless_kv_moves(view);
}

std::optional<std::string> unless_ucx(const PodView& view) {
    if (view.path.kind == PathKind::libfabric || view.path.kind == PathKind::mooncake) {
        return "KV does not go through UCX here";
    }
    return unless_kv_moves(view);
}

std::optional<std::string> always_applies(const PodView& /*view*/) {
    return std::nullopt;
}

} // namespace di::judge
