#include "discover/spec_facts.hpp"

#include "discover/resources.hpp"

namespace di::discover {

model::SpecFacts spec_facts(const model::Container& container,
                            const ContainerEnv& env,
                            const std::vector<ShellCommand>& commands) {
    const ShellCommand* engine = find_engine(commands);
    model::SpecFacts facts;
    facts.env = engine != nullptr ? engine->env : env.values;
    facts.env_unresolved = env.unresolved;
    if (engine != nullptr) {
        facts.arguments = engine->words;
    } else if (commands.size() == 1) {
        facts.arguments = commands.front().words;
    } else {
        for (const auto* part : {&container.command, &container.args}) {
            for (const std::string& word : *part) {
                facts.arguments.push_back(expand(word, env));
            }
        }
    }
    facts.image = container.image;
    facts.rdma_resources = rdma_resources(container);
    facts.claims = container.claims;
    facts.gpus = count_gpus(container);
    facts.privileged = container.privileged;
    return facts;
}

model::Backend backend_of(const std::vector<ShellCommand>& commands, std::string_view image) {
    const ShellCommand* engine = find_engine(commands);
    return engine != nullptr ? engine_of(*engine).value_or(model::Backend::unknown)
                             : backend_of_image(image);
}

} // namespace di::discover
