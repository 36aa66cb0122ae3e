// A YAML or JSON document as Kubernetes reads it: aliases and merge keys expanded, equal keys
// reduced to the last, scalars typed by YAML 1.1. Immutable and shared, so that an alias or an
// overlay costs no copy.
#pragma once

#include "model/component.hpp"
#include "model/value.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace di::recipe {

enum class NodeKind : std::uint8_t { null, boolean, number, text, list, map };

struct Node;
using NodePtr = std::shared_ptr<const Node>;
using Member = std::pair<std::string, NodePtr>;

/// Where a node begins; of a node that an overlay made, where the overlay says so.
struct Position {
    std::shared_ptr<const std::string> file;
    int line = 0;
    int column = 0;
};

struct Node {
    NodeKind kind = NodeKind::null;
    std::string text; ///< of a scalar, as it is written
    std::vector<NodePtr> items;
    std::vector<Member> members; ///< each key once
    Position position;

    /// The member, or nullptr.
    [[nodiscard]] const NodePtr* find(std::string_view key) const;
};

/// A member of a mapping; an empty node when there is none. Never fails, so that paths can be
/// walked through whatever a file holds.
const Node& member(const Node& node, std::string_view key);
const Node& member(const Node& node, std::initializer_list<std::string_view> path);

/// The text of a scalar member; "" for null, lists and mappings.
std::string text(const Node& node, std::string_view key);

/// Scalars of a list member; what is no scalar counts as "".
std::vector<std::string> texts(const Node& list);

/// Scalar members of a mapping.
std::vector<std::pair<std::string, std::string>> text_members(const Node& map);

bool is_true(const Node& node);

model::Place place_of(const Node& node);

/// The document without positions.
model::Value to_value(const Node& node);

/// The document as JSON text.
std::string to_json(const Node& node);

} // namespace di::recipe
