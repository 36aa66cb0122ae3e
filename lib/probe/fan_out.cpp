#include "probe/fan_out.hpp"

#include "base/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace di::probe {
namespace {

/// Execs open at the start of the ramp.
constexpr std::size_t k_first_window = 8;

/// How often a server that is not there is tried again: after 1, 2 and 4 s it may have restarted.
constexpr unsigned k_most_connects = 3;

class Scheduler {
public:
    Scheduler(const model::Plan& plan,
              model::ExecTransport& transport,
              const Clock& clock,
              const Limits& limits)
        : plan_(plan),
          transport_(transport),
          clock_(clock),
          limits_(limits),
          window_(std::min(std::max<std::size_t>(limits.max_parallel, 1), k_first_window)),
          retries_(plan.tasks.size(), 0) {
        run_.results.resize(plan.tasks.size());
        for (std::size_t task = 0; task < plan.tasks.size(); ++task) {
            waiting_.push_back(task);
        }
    }

    FanOut run(const Watch& watch) {
        while (!waiting_.empty() || !again_.empty() || !open_.empty()) {
            watch.progress(plan_.tasks.size() - waiting_.size() - again_.size() - open_.size(),
                           plan_.tasks.size());
            const bool interrupted = watch.interrupted();
            if (interrupted || clock_.now() >= limits_.run_deadline) {
                give_up(interrupted ? "interrupted" : "the run's time was up (--timeout)");
                break;
            }
            fill_window();
            for (auto& ended : transport_.wait(next_deadline())) {
                settle(ended.task, std::move(ended.result));
            }
            end_late_ones();
        }
        return std::move(run_);
    }

private:
    void fill_window() {
        while (open_.size() < window_) {
            const auto task = take_next();
            if (!task) {
                return;
            }
            open_[*task] = clock_.now() + limits_.probe_timeout;
            ++run_.execs;
            transport_.start(*task, plan_.tasks[*task]);
        }
    }

    /// A task that was lost and whose time has come, else one that was never started.
    std::optional<std::size_t> take_next() {
        if (!again_.empty() && again_.begin()->first <= clock_.now()) {
            return again_.extract(again_.begin()).mapped();
        }
        if (waiting_.empty()) {
            return std::nullopt;
        }
        const std::size_t task = waiting_.front();
        waiting_.pop_front();
        return task;
    }

    [[nodiscard]] Instant next_deadline() const {
        Instant next = limits_.run_deadline;
        if (!again_.empty() && open_.size() < window_) {
            next = std::min(next, again_.begin()->first);
        }
        for (const auto& [task, deadline] : open_) {
            next = std::min(next, deadline);
        }
        return next;
    }

    void settle(std::size_t task, model::RawResult result) {
        if (open_.erase(task) == 0) {
            return; // already ended by its deadline
        }
        window_ = std::min(window_ + 1, std::max<std::size_t>(limits_.max_parallel, 1));
        if (result.retryable) {
            retry(task, result);
        }
        run_.results[task] = std::move(result); // stands until there is a better one
    }

    /// Once; while there is no way to the server, a few times more, each time waiting longer.
    void retry(std::size_t task, const model::RawResult& result) {
        const unsigned before = retries_[task]++;
        if (before < (result.unreached ? k_most_connects : 1)) {
            again_.emplace(clock_.now() + result.retry_after * (1U << before), task);
        }
    }

    void end_late_ones() {
        const Instant now = clock_.now();
        for (auto entry = open_.begin(); entry != open_.end();) {
            if (entry->second > now) {
                ++entry;
                continue;
            }
            auto& result = run_.results[entry->first];
            result = transport_.cancel(entry->first); // sections that were closed stay evidence
            result.outcome = model::ExecOutcome::timed_out;
            result.detail = fmt::format("no answer within {} (--probe-timeout)",
                                        to_text(limits_.probe_timeout));
            entry = open_.erase(entry);
        }
    }

    void give_up(std::string why) {
        for (const auto& [task, deadline] : open_) {
            run_.results[task] = transport_.cancel(task);
            waiting_.push_back(task);
        }
        open_.clear();
        for (const std::size_t task : waiting_) {
            run_.results[task].outcome = model::ExecOutcome::cancelled;
            run_.results[task].detail = why;
        }
        run_.cut_short = std::move(why);
    }

    const model::Plan& plan_;
    model::ExecTransport& transport_;
    const Clock& clock_;
    const Limits& limits_;
    std::size_t window_;
    std::deque<std::size_t> waiting_;
    std::multimap<Instant, std::size_t> again_; ///< lost tasks, and when to ask once more
    std::map<std::size_t, Instant> open_;       ///< task -> its deadline
    std::vector<unsigned> retries_;
    FanOut run_;
};

} // namespace

FanOut fan_out(const model::Plan& plan,
               model::ExecTransport& transport,
               const Clock& clock,
               const Limits& limits,
               const Watch& watch) {
    return Scheduler(plan, transport, clock, limits).run(watch);
}

} // namespace di::probe
