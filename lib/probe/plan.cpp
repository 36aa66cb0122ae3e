#include "probe/plan.hpp"

#include "probe/script.hpp"

namespace di::probe {

model::Plan make_plan(const model::Inventory& inventory, std::string nonce) {
    model::Plan plan;
    plan.nonce = std::move(nonce);
    plan.tasks.reserve(inventory.workers.size());
    for (std::size_t i = 0; i < inventory.workers.size(); ++i) {
        const auto& worker = inventory.workers[i];
        plan.tasks.push_back({i,
                              worker.ns,
                              worker.pod,
                              worker.container,
                              {"sh", "-c", std::string(script()), plan.nonce}});
    }
    return plan;
}

} // namespace di::probe
