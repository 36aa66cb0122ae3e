// The sections `engine` and `environ` of the probe script: the process that moves the KV cache.
#pragma once

#include "model/observation.hpp"
#include "parse/sections.hpp"

namespace di::parse {

/// `engine` as the script prints it (see probe/script.hpp), from
/// /proc/<pid>/{status,limits,maps,fd}; proc(5). Its `environment` is left for the caller. Unseen,
/// not_running, when no process looks like an engine.
model::Seen<model::EngineProcess> parse_engine(const Section& engine);

/// `own` with each value that a process in `ranks` has otherwise, one at a time. A variable that a
/// process lacks is unset there, which is the default and no variant.
std::vector<model::Environment> parse_variants(const Section& ranks, const model::EnvMap& own);

/// Allow-listed variables of /proc/<pid>/environ.
model::Seen<model::EnvMap> parse_environ(const Section& environ);

} // namespace di::parse
