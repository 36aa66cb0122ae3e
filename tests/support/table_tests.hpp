// One Catch test for each row of a table, so that ctest shows every row under its own name.
#pragma once

#include <catch2/catch.hpp>

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace di::test {

/// As an object of static storage: registers `check` once for each row, called as the row's `name`.
template<class Row> class TableTests {
public:
    TableTests(const std::vector<Row>& rows, void (*check)(const Row&)) {
        for (const auto& row : rows) {
            tests_.emplace_back(new Invoker(row, check),
                                CATCH_INTERNAL_LINEINFO,
                                Catch::StringRef(),
                                Catch::NameAndTags(std::string(row.name)));
        }
    }

private:
    class Invoker final : public Catch::ITestInvoker {
    public:
        Invoker(Row row, void (*check)(const Row&))
            : row_(std::move(row)),
              check_(check) {}

        void invoke() const override { check_(row_); }

    private:
        Row row_;
        void (*check_)(const Row&);
    };

    std::deque<Catch::AutoReg> tests_; ///< each takes its Invoker over
};

} // namespace di::test
