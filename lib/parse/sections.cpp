#include "parse/sections.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <string>

namespace di::parse {
namespace {

/// Far more than the script prints: imitated ones must not cost time.
constexpr std::size_t k_most_markers = 256;

/// "<NAME", ">NAME CODES" or "." behind the nonce, and where the text around it stops and resumes.
struct Marker {
    std::string_view words;
    std::size_t begin = 0; ///< of the newline before the nonce
    std::size_t end = 0;   ///< behind the newline after the marker
};

/// The next whole marker line at or after `from`.
std::optional<Marker> next_marker(std::string_view out, const std::string& lead, std::size_t from) {
    const auto begin = out.find(lead, from);
    if (begin == std::string_view::npos) {
        return std::nullopt;
    }
    const auto words = begin + lead.size();
    const auto newline = out.find('\n', words);
    if (newline == std::string_view::npos) {
        return std::nullopt;
    }
    return Marker{out.substr(words, newline - words), begin, newline + 1};
}

/// The first code that is not 0; nothing when there is none or it is no number.
std::optional<int> decisive_code(const std::vector<std::string_view>& codes) {
    std::optional<int> decisive;
    for (const auto code : codes) {
        const auto number = parse_unsigned(code);
        if (!number || *number > 255) {
            return std::nullopt;
        }
        if (decisive.value_or(0) == 0) {
            decisive = static_cast<int>(*number);
        }
    }
    return decisive;
}

class Reader {
public:
    explicit Reader(std::string_view out)
        : out_(out) {}

    void take(const Marker& marker) {
        const auto kind = marker.words.empty() ? '\0' : marker.words.front();
        if (kind == '<') {
            open(marker);
        } else if (kind == '>') {
            close(marker);
        } else if (marker.words == "." && !open_) {
            sections_.complete = true;
        }
    }

    Sections finish() {
        const auto is_tangled = [&](const Section& section) {
            return std::find(sections_.tangled.begin(), sections_.tangled.end(), section.name) !=
                   sections_.tangled.end();
        };
        auto& closed = sections_.closed;
        closed.erase(std::remove_if(closed.begin(), closed.end(), is_tangled), closed.end());
        return std::move(sections_);
    }

private:
    void open(const Marker& marker) {
        if (open_) {
            sections_.tangled.push_back(open_->name);
        }
        open_ = Section{marker.words.substr(1), {}, {}, false};
        text_begin_ = marker.end;
        if (sections_.find(open_->name) != nullptr) {
            sections_.tangled.push_back(open_->name);
        }
    }

    void close(const Marker& marker) {
        auto codes = words(marker.words.substr(1));
        const auto name = codes.empty() ? std::string_view{} : codes.front();
        if (codes.empty() || !open_ || open_->name != name) {
            sections_.tangled.push_back(name);
            return;
        }
        codes.erase(codes.begin());
        open_->text = out_.substr(text_begin_, marker.begin - text_begin_);
        open_->code = decisive_code(codes);
        open_->capped = open_->text.size() >= k_section_cap;
        sections_.closed.push_back(*open_);
        open_.reset();
    }

    std::string_view out_;
    Sections sections_;
    std::optional<Section> open_;
    std::size_t text_begin_ = 0;
};

} // namespace

const Section* Sections::find(std::string_view name) const {
    const auto found = std::find_if(
        closed.begin(), closed.end(), [&](const Section& section) { return section.name == name; });
    return found == closed.end() ? nullptr : &*found;
}

Sections read_sections(std::string_view out, std::string_view nonce) {
    if (nonce.empty()) {
        return {};
    }
    const std::string lead = '\n' + std::string(nonce);
    Reader reader(out);
    std::size_t markers = 0;
    for (auto marker = next_marker(out, lead, 0); marker && markers < k_most_markers;
         marker = next_marker(out, lead, marker->end)) {
        reader.take(*marker);
        ++markers;
    }
    return reader.finish();
}

} // namespace di::parse
