#include "rbac.hpp"

#include "base/strings.hpp"
#include "exit_codes.hpp"
#include "kubeconfig/load.hpp"
#include "preflight.hpp"
#include "render/json.hpp"
#include "render/text_layout.hpp"
#include "reporting.hpp"
#include "role_manifest.hpp"
#include "session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace di::app {
namespace {

using kube::Access;
using model::Value;

constexpr std::string_view k_default_account = "dynamo-interconnect";
constexpr int k_exit_denied = 1;
constexpr int k_exit_unknown = 3;

std::string_view to_string(Access access) {
    static constexpr std::array<std::string_view, 3> k_words = {"unknown", "yes", "no"};
    return k_words.at(static_cast<std::size_t>(access));
}

/// "NS:NAME" or "NAME" of the role's own namespace.
RoleSubject service_account(const std::string& text, const std::string& ns) {
    const auto colon = text.find(':');
    return colon == std::string::npos
               ? RoleSubject{"ServiceAccount", text, ns}
               : RoleSubject{"ServiceAccount", text.substr(colon + 1), text.substr(0, colon)};
}

RoleSubject subject_of(const cli::Invocation& invocation, const std::string& ns) {
    const auto& grantee = invocation.grantee;
    if (grantee.user) {
        return {"User", *grantee.user, ""};
    }
    if (grantee.group) {
        return {"Group", *grantee.group, ""};
    }
    return service_account(grantee.service_account.value_or(std::string(k_default_account)), ns);
}

/// A role can be written without any cluster: then the namespace is that of -n, or "default".
std::string namespace_of(const cli::Invocation& invocation, const Deps& deps) {
    if (invocation.connection.ns) {
        return *invocation.connection.ns;
    }
    const auto config = kubeconfig::load(invocation.connection, deps.surroundings);
    return config.ok() ? config->ns : "default";
}

std::vector<Value> documents(const cli::Invocation& invocation, const Deps& deps) {
    const auto ns = namespace_of(invocation, deps);
    const auto subject = subject_of(invocation, ns);
    const bool everywhere = invocation.selection.all_namespaces;
    auto all =
        role_documents(everywhere ? std::nullopt : std::optional(ns), subject, granted_uses());
    const auto& grantee = invocation.grantee;
    if (!grantee.user && !grantee.group && !grantee.service_account) {
        Value account; // nobody was named: what is bound must be there, too
        account.set("apiVersion", "v1").set("kind", "ServiceAccount");
        account.set("metadata", Value().set("name", subject.name).set("namespace", subject.ns));
        all.insert(all.begin(), std::move(account));
    }
    return all;
}

int print_role(const cli::Invocation& invocation, const Deps& deps) {
    const auto all = documents(invocation, deps);
    if (invocation.format == cli::Format::json) {
        Value list;
        list.set("apiVersion", "v1").set("kind", "List");
        Value items = Value::array();
        for (const auto& document : all) {
            items.push(document);
        }
        deps.out(render::render_json(list.set("items", std::move(items))));
        return k_exit_ok;
    }
    std::string text;
    for (const auto& document : all) {
        text += (text.empty() ? "" : "---\n") + render::render_yaml(document);
    }
    deps.out(text);
    return k_exit_ok;
}

/// One permission, as asked and answered.
struct Answer {
    const kube::Permission* permission = nullptr;
    Access access = Access::unknown;
};

std::string object_of(const kube::Permission& permission) {
    return fmt::format("{}{}{}{}{}",
                       permission.resource,
                       permission.group.empty() ? "" : ".",
                       permission.group,
                       permission.subresource.empty() ? "" : "/",
                       permission.subresource);
}

std::string answers_table(const std::vector<Answer>& answers, bool headers) {
    std::vector<std::vector<render::Cell>> rows;
    if (headers) {
        rows.push_back({{"ALLOWED"}, {"VERB"}, {"RESOURCE"}, {"NEEDED"}, {"FOR"}});
    }
    for (const auto& [permission, access] : answers) {
        const bool required = permission->need == kube::Need::required;
        rows.push_back({{std::string(to_string(access))},
                        {std::string(permission->verb)},
                        {object_of(*permission)},
                        {required ? "required" : "optional"},
                        {std::string(permission->why)}});
    }
    return render::layout_columns(rows, 0, render::Color::off);
}

Value answers_document(const std::vector<Answer>& answers, const std::string& ns) {
    Value list = Value::array();
    for (const auto& [permission, access] : answers) {
        Value entry;
        entry.set("verb", permission->verb).set("group", permission->group);
        entry.set("resource", permission->resource).set("subresource", permission->subresource);
        entry.set("namespace", ns.empty() ? Value() : Value(ns));
        entry.set("required", permission->need == kube::Need::required);
        list.push(entry.set("allowed", to_string(access)));
    }
    Value document;
    document.set("apiVersion", "dynamo-interconnect/v1").set("kind", "AccessReport");
    return document.set("permissions", std::move(list));
}

/// Permissions in a namespace that is not there are no help, and a typing error looks like them.
void say_missing_namespace(Session& session, const Deps& deps) {
    const auto& ns = session.cluster.ns;
    if (ns.empty()) {
        return;
    }
    const auto presence = session.client.namespace_presence(ns);
    if (presence.ok() && *presence == kube::Presence::absent) {
        deps.err(fmt::format("note: namespace \"{}\" not found\n", ns));
    }
}

int check_role(const cli::Invocation& invocation, const Deps& deps) {
    auto session = open_session(invocation, deps);
    if (!session.ok()) {
        return give_up(session.error(), deps);
    }
    const auto& ns = session->cluster.ns;
    std::vector<kube::AccessQuestion> questions;
    for (const auto use : granted_uses()) {
        questions.push_back({use, ns, ""});
    }
    const auto accesses = session->client.review_access(questions, k_review_patience);
    std::vector<Answer> answers;
    bool denied = false;
    bool unknown = false;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const auto& permission = kube::permission(questions[i].use);
        answers.push_back({&permission, accesses[i]});
        const bool required = permission.need == kube::Need::required;
        denied = denied || (required && accesses[i] == Access::denied);
        unknown = unknown || (required && accesses[i] == Access::unknown);
    }
    const bool as_document =
        invocation.format == cli::Format::json || invocation.format == cli::Format::yaml;
    const auto document = as_document ? answers_document(answers, ns) : Value();
    deps.out(invocation.format == cli::Format::json ? render::render_json(document)
             : invocation.format == cli::Format::yaml
                 ? render::render_yaml(document)
                 : answers_table(answers, !invocation.no_headers));
    say_missing_namespace(*session, deps);
    if (denied) {
        deps.err("hint: kubectl dynamo-interconnect rbac" + (ns.empty() ? " -A" : " -n " + ns) +
                 " | kubectl apply -f -\n");
    }
    return denied ? k_exit_denied : unknown ? k_exit_unknown : k_exit_ok;
}

} // namespace

int run_rbac(const cli::Invocation& invocation, const Deps& deps) {
    return invocation.access_check ? check_role(invocation, deps) : print_role(invocation, deps);
}

} // namespace di::app
