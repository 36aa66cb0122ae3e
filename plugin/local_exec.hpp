// The probe on this host: execs as child processes, behind the same door as those of a cluster.
#pragma once

#include "base/clock.hpp"
#include "model/exec_transport.hpp"

#include <memory>
#include <string>
#include <vector>

namespace di::app {

/// Runs a task's argv as a child process in a process group of its own, with nothing on stdin. An
/// exec that is cancelled ends with its whole group. `interrupt_descriptor` (-1: none) wakes
/// wait(). `variables` (NAME=value) are added to our own environment.
std::unique_ptr<model::ExecTransport> make_local_transport(const Clock& clock,
                                                           int interrupt_descriptor,
                                                           std::vector<std::string> variables = {});

} // namespace di::app
