// Ctrl-C as a readable descriptor: the first one ends the run with what is known, the second at
// once.
#pragma once

namespace di::app {

/// Installs handlers for SIGINT and SIGTERM and ignores SIGPIPE; one at a time in a process.
class Interrupts {
public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
    Interrupts(Interrupts&&) = delete;
    Interrupts& operator=(Interrupts&&) = delete;

    /// Readable from the first signal on; -1 when no pipe could be made.
    [[nodiscard]] int descriptor() const { return read_end_; }

    [[nodiscard]] static bool happened();

private:
    int read_end_ = -1;
    int write_end_ = -1;
};

} // namespace di::app
