// ConfigMaps among the files, found as the API server would find them, where several variants lie
// side by side.
#pragma once

#include "recipe/objects.hpp"

#include <map>
#include <string>
#include <vector>

namespace di::recipe {

/// Who asks: references are resolved within one rendering, else to the nearest file.
struct Asker {
    std::string variant;
    std::string ns;
    std::string file;
};

enum class Lookup : std::uint8_t { found, absent, ambiguous };

struct FoundMap {
    Lookup lookup = Lookup::absent;
    const Node* data = nullptr; ///< set when found
};

class ConfigMaps {
public:
    explicit ConfigMaps(const std::vector<Object>& objects);

    [[nodiscard]] FoundMap find(const std::string& name, const Asker& asker) const;

private:
    std::multimap<std::string, const Object*> by_name_;
};

} // namespace di::recipe
