#include "recipe/yaml_reader.hpp"

#include "base/strings.hpp"
#include "base/yaml_text.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <optional>
#include <sstream>
#include <unordered_map>

namespace di::recipe {
namespace {

/// Aliases share nodes, but what walks a document sees each use of one: a small text can stand for
/// an endless document.
constexpr std::size_t k_most_nodes = 1'000'000;
constexpr std::size_t k_deepest = 200;

struct Refused {
    std::string cause;
    YAML::Mark mark;
};

std::size_t size_of(const Node& node, const std::unordered_map<const Node*, std::size_t>& known) {
    const auto found = known.find(&node);
    return found == known.end() ? 1 : found->second;
}

/// A container that is being read.
struct Frame {
    Node node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;
    bool merges = false; ///< the key at hand is a plain `<<`
    std::string key;
    std::size_t size = 1; ///< nodes below it, aliases counted each time
    std::unordered_map<std::string, std::size_t> index;
    std::vector<NodePtr> merged;
};

/// yaml-cpp's events to nodes. Its own tree neither merges keys nor keeps positions cheaply.
class TreeBuilder final : public YAML::EventHandler {
public:
    explicit TreeBuilder(std::shared_ptr<const std::string> file)
        : file_(std::move(file)) {}

    std::vector<NodePtr> roots;

    /// yaml-cpp begins one empty document after the other where a text goes on with `}` or `]`.
    void OnDocumentStart(const YAML::Mark& mark) override {
        if (mark.pos == document_) {
            throw Refused{"text that belongs to nothing", mark};
        }
        document_ = mark.pos;
        anchors_.clear();
        sizes_.clear();
    }

    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        Node node;
        node.position = at(mark);
        add(std::move(node), anchor, mark, 1);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) {
            throw Refused{"an anchor contains itself", mark};
        }
        take(found->second, mark, size_of(*found->second, sizes_));
    }

    void OnScalar(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  const std::string& value) override {
        const bool plain = tag == "?";
        if (expects_key()) {
            begin_value(value, plain && value == "<<");
            return;
        }
        Node node;
        node.kind = kind_of(value, tag);
        node.text = value;
        node.position = at(mark);
        add(std::move(node), anchor, mark, 1);
    }

    void OnSequenceStart(const YAML::Mark& mark,
                         const std::string& /*tag*/,
                         YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        begin(NodeKind::list, mark, anchor);
    }

    void OnSequenceEnd() override { end(); }

    void OnMapStart(const YAML::Mark& mark,
                    const std::string& /*tag*/,
                    YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        begin(NodeKind::map, mark, anchor);
    }

    void OnMapEnd() override {
        merge(frames_.back());
        end();
    }

private:
    [[nodiscard]] Position at(const YAML::Mark& mark) const {
        return {file_, mark.line + 1, mark.column + 1};
    }

    static NodeKind kind_of(const std::string& value, const std::string& tag) {
        const bool number = tag == "tag:yaml.org,2002:int" || tag == "tag:yaml.org,2002:float";
        if (tag != "?" && !number && tag != "tag:yaml.org,2002:bool") {
            return NodeKind::text;
        }
        static constexpr NodeKind k_kinds[] = {
            NodeKind::null, NodeKind::boolean, NodeKind::number, NodeKind::text};
        return k_kinds[static_cast<std::size_t>(plain_scalar(value))];
    }

    [[nodiscard]] bool expects_key() const {
        return !frames_.empty() && frames_.back().node.kind == NodeKind::map &&
               !frames_.back().has_key;
    }

    void begin_value(const std::string& key, bool merges) {
        auto& frame = frames_.back();
        frame.key = key;
        frame.has_key = true;
        frame.merges = merges;
    }

    void begin(NodeKind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
        if (expects_key()) {
            throw Refused{"a key must be a scalar", mark};
        }
        if (frames_.size() >= k_deepest) {
            throw Refused{"nested too deeply", mark};
        }
        Frame frame;
        frame.node.kind = kind;
        frame.node.position = at(mark);
        frame.anchor = anchor;
        frames_.push_back(std::move(frame));
    }

    void end() {
        Frame frame = std::move(frames_.back());
        frames_.pop_back();
        const auto& position = frame.node.position;
        YAML::Mark mark;
        mark.line = position.line - 1;
        mark.column = position.column - 1;
        add(std::move(frame.node), frame.anchor, mark, frame.size);
    }

    void add(Node node, YAML::anchor_t anchor, const YAML::Mark& mark, std::size_t size) {
        auto shared = std::make_shared<const Node>(std::move(node));
        if (anchor != 0) {
            anchors_[anchor] = shared;
            sizes_[shared.get()] = size;
        }
        take(std::move(shared), mark, size);
    }

    /// Puts a finished node where it belongs.
    void take(NodePtr node, const YAML::Mark& mark, std::size_t size) {
        if (frames_.empty()) {
            if (node->kind != NodeKind::null) {
                roots.push_back(std::move(node));
            }
            return;
        }
        auto& frame = frames_.back();
        frame.size += size;
        if (frame.size > k_most_nodes) {
            throw Refused{"aliases expand to too much", mark};
        }
        if (frame.node.kind == NodeKind::list) {
            frame.node.items.push_back(std::move(node));
        } else if (!frame.has_key) {
            take_key(*node, mark);
        } else {
            take_member(frame, std::move(node), mark);
        }
    }

    /// An alias or an empty key where a key is expected.
    void take_key(const Node& node, const YAML::Mark& mark) {
        if (node.kind == NodeKind::list || node.kind == NodeKind::map) {
            throw Refused{"a key must be a scalar", mark};
        }
        begin_value(node.kind == NodeKind::null ? "null" : node.text, false);
    }

    static void take_member(Frame& frame, NodePtr node, const YAML::Mark& mark) {
        frame.has_key = false;
        if (frame.merges) {
            take_merged(frame, node, mark);
            return;
        }
        const auto [known, fresh] = frame.index.try_emplace(frame.key, frame.node.members.size());
        if (fresh) {
            frame.node.members.emplace_back(std::move(frame.key), std::move(node));
        } else {
            frame.node.members[known->second].second = std::move(node);
        }
    }

    static void take_merged(Frame& frame, const NodePtr& node, const YAML::Mark& mark) {
        const auto one = [&](const NodePtr& source) {
            if (source->kind != NodeKind::map) {
                throw Refused{"<< merges mappings only", mark};
            }
            frame.merged.push_back(source);
        };
        if (node->kind == NodeKind::list) {
            for (const auto& source : node->items) {
                one(source);
            }
        } else {
            one(node);
        }
    }

    /// The mapping's own keys win, then those of the mapping that is named first.
    static void merge(Frame& frame) {
        for (const auto& source : frame.merged) {
            for (const auto& [key, value] : source->members) {
                if (frame.index.try_emplace(key, frame.node.members.size()).second) {
                    frame.node.members.emplace_back(key, value);
                }
            }
        }
    }

    std::shared_ptr<const std::string> file_;
    int document_ = -1; ///< where the document at hand begins
    std::vector<Frame> frames_;
    std::unordered_map<YAML::anchor_t, NodePtr> anchors_;
    std::unordered_map<const Node*, std::size_t> sizes_;
};

SyntaxError error_at(std::string cause, const YAML::Mark& mark) {
    return mark.is_null() ? SyntaxError{std::move(cause), 0, 0}
                          : SyntaxError{std::move(cause), mark.line + 1, mark.column + 1};
}

/// yaml-cpp stops quietly where it finds no further token; these bytes are never part of a text.
std::optional<SyntaxError> find_binary(std::string_view text) {
    int line = 1;
    int column = 1;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') {
            return SyntaxError{"a control character: this is no text", line, column};
        }
        column = c == '\n' ? 1 : column + 1;
        line += c == '\n' ? 1 : 0;
    }
    return valid_utf8(text) == text ? std::nullopt
                                    : std::optional(SyntaxError{"bytes that are no UTF-8", 0, 0});
}

} // namespace

Documents parse_documents(std::string_view text, std::shared_ptr<const std::string> file) {
    Documents result;
    if (auto binary = find_binary(text)) {
        result.errors.push_back(std::move(*binary));
        return result;
    }
    const std::string first = trimmed(text.substr(0, 64)).substr(0, 1);
    std::istringstream stream(first == "{" || first == "[" ? join_surrogates(text)
                                                           : std::string(text));
    TreeBuilder builder(std::move(file));
    try {
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const Refused& refused) {
        result.errors.push_back(error_at(refused.cause, refused.mark));
    } catch (const YAML::Exception& exception) {
        result.errors.push_back(error_at(exception.msg, exception.mark));
    } catch (const std::exception& exception) {
        result.errors.push_back({exception.what(), 0, 0});
    }
    result.roots = std::move(builder.roots);
    return result;
}

} // namespace di::recipe
