// Kustomizations rendered in memory: resources, bases, components, patches of both kinds and
// ConfigMap generators, names and namespaces. What they cannot show is named, never guessed.
#pragma once

#include "recipe/files.hpp"
#include "recipe/objects.hpp"

#include <set>
#include <string>
#include <vector>

namespace di::recipe {

/// A part of a kustomization that could not be rendered.
struct RenderGap {
    model::Place place;
    std::string why;
};

struct Rendering {
    std::vector<Object> objects;
    std::vector<Object> unapplied; ///< patches whose target was not found
    std::vector<RenderGap> gaps;
    std::set<std::string> used; ///< files that it read, as normal paths
};

bool is_kustomization(const std::string& path);

/// The kustomization file of a folder; "" when it has none.
std::string kustomization_in(const std::string& folder);

/// Is the folder's kustomization of kind Component, which only changes what others render?
bool is_kustomize_component(const std::string& folder, FileStore& files);

/// Renders the kustomization of a folder.
Rendering render_kustomization(const std::string& folder, FileStore& files);

} // namespace di::recipe
