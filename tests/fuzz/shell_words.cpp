#include "discover/shell_words.hpp"

#include "fuzz.hpp"

DI_FUZZ_TARGET(shell_words) {
    using namespace di;
    const discover::ShellContext context{
        {{"MODE", "decode"}, {"EMPTY", ""}, {"ARGS", "--a --b"}}, {"POD_IP"}, {"one", "two"}};
    const auto commands = discover::read_script(input, context);
    fuzz::require(commands.size() <= 256, "at most 256 commands are read");
    const auto again = discover::read_script(input, context);
    fuzz::require(again.size() == commands.size(), "the same script reads the same");
    std::size_t total = 0;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        fuzz::require(commands[i].words == again[i].words && commands[i].env == again[i].env,
                      "the same script reads the same");
        for (const auto& word : commands[i].words) {
            total += word.size();
        }
    }
    fuzz::require(total <= 4096 + 64 * input.size(), "a short script does not become a long text");
}
