#include "kubesim/scenarios/root.hpp"

namespace di::kubesim::scenarios {

void make_hostile(Tree& tree) {
    const std::string endless(1U << 20U, 'A');
    const std::string forged = "\x1b]0;owned\x07\x1b[2J\x1b[31mready\x1b[0m\r";
    tree.file("proc/modules", forged + endless + "\n");
}

} // namespace di::kubesim::scenarios
