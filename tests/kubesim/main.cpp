// kubesim: a small Kubernetes API server on loopback, for tests and the demo.
#include "base/strings.hpp"
#include "kubesim/case_file.hpp"
#include "kubesim/certificates.hpp"
#include "kubesim/connection.hpp"
#include "kubesim/kubeconfig_file.hpp"
#include "kubesim/options.hpp"
#include "kubesim/scenarios/scenarios.hpp"
#include "kubesim/server.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <thread>

namespace di::kubesim {
namespace {

/// The scenario's directory; a named one is written into `workspace`.
Result<std::filesystem::path> find_scenario(const Options& options,
                                            const std::filesystem::path& workspace) {
    if (std::filesystem::is_directory(options.scenario)) {
        if (options.pods != 0) {
            return Error{ErrorKind::usage, "--pods needs a named scenario", "", "", ""};
        }
        return std::filesystem::path(options.scenario);
    }
    const auto directory = workspace / "scenario";
    std::filesystem::create_directory(directory);
    if (const auto written = scenarios::write(options.scenario, options.pods, directory);
        !written) {
        return written.error();
    }
    return directory;
}

Outcome read_faults(Faults& faults, const Options& options, const std::filesystem::path& scenario) {
    for (const auto& fault : options.faults) {
        if (const auto added = add_fault(faults, fault); !added) {
            return added.error();
        }
    }
    return add_case_faults(faults, scenario / "case.yaml");
}

/// SIGTERM and SIGINT, which all threads have blocked, end the run.
void wait_for_signal(StopSignal& stop) {
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    int received = 0;
    sigwait(&ending, &received);
    stop.stop();
}

void block_signals() {
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ending, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

/// Serves until a signal comes.
Outcome serve(const Options& options, const Store& store, Roots& roots, Faults& faults) {
    auto identity = make_server_identity();
    if (!identity) {
        return identity.error();
    }
    const auto listener = listen_on(options.listen);
    if (!listener) {
        return listener.error();
    }
    RequestLog log;
    if (const auto opened = log.open(options.requests_log); !opened) {
        return opened.error();
    }
    const auto token = random_hex(16);
    const auto url = fmt::format("https://{}", listener->address);
    if (!options.kubeconfig_out.empty()) {
        const auto written =
            write_kubeconfig(options.kubeconfig_out, {url, identity->ca_pem, token});
        if (!written) {
            return written.error();
        }
    }
    StopSignal stop;
    const Access access(faults.forbidden, faults.namespaced_only);
    const Api api({listener->address, &store, !faults.no_crd}, access, roots, faults);
    ExecService exec(store, roots, faults, stop, options.exec);
    Outage outage(faults.restart);
    Server* running = nullptr;
    const Services services{.api = api,
                            .access = access,
                            .exec = exec,
                            .faults = faults,
                            .log = log,
                            .stop = stop,
                            .outage = outage,
                            .drop_connections = [&] { running->drop_connections(); },
                            .token = token,
                            .latency = options.latency};
    Server server(
        identity->tls.get(),
        [&](TlsStream& stream) { serve_connection(services, stream); },
        outage);
    running = &server;
    std::thread signals([&] { wait_for_signal(stop); });
    fmt::print("kubesim: ready {}\n", url);
    std::fflush(stdout);
    server.run(*listener, stop);
    signals.join();
    return Done{};
}

/// Sets the cluster up and serves it. Everything made on the way is removed in the end.
Outcome run(const Options& options) {
    const auto workspace = TempDir::make();
    if (!workspace) {
        return workspace.error();
    }
    const auto scenario = find_scenario(options, workspace->path());
    if (!scenario) {
        return scenario.error();
    }
    Faults faults;
    if (const auto read = read_faults(faults, options, *scenario); !read) {
        return read.error();
    }
    const auto store = Store::load(*scenario);
    if (!store) {
        return store.error();
    }
    const auto isolation = detect_isolation(workspace->path());
    Roots roots(*scenario, workspace->path(), isolation);
    if (const auto checked = roots.check(store->pods()); !checked) {
        return checked.error();
    }
    if (isolation == Isolation::unavailable) {
        fmt::print(stderr,
                   "kubesim: commands cannot be run here, every exec will fail: that needs root, "
                   "or user namespaces that an ordinary user may make\n");
    }
    return serve(options, *store, roots, faults);
}

/// The scenario as a directory, for whoever wants to serve it otherwise.
Outcome write(const Options& options) {
    std::filesystem::create_directories(options.write);
    return scenarios::write(options.scenario, options.pods, options.write);
}

int main_with(const std::vector<std::string>& arguments) {
    const auto options = parse_options(arguments);
    if (options && options->help) {
        fmt::print("{}", help_text(scenarios::names()));
        return 0;
    }
    const Outcome outcome = !options                 ? options.error()
                            : options->write.empty() ? run(*options)
                                                     : write(*options);
    if (!outcome) {
        fmt::print(stderr, "{}", to_text(outcome.error()));
        return outcome.error().kind == ErrorKind::usage ? 2 : 1;
    }
    return 0;
}

} // namespace
} // namespace di::kubesim

int main(int argc, char** argv) {
    try {
        di::kubesim::block_signals();
        return di::kubesim::main_with({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        fmt::print(stderr, "kubesim: internal error: {}\n", error.what());
        return 70;
    }
}
