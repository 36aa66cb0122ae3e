#!/usr/bin/env python3
"""A linter that never fails has linted nothing: each one must find a planted fault."""
import pathlib
import tempfile
import unittest

import budgets
import conformance
import rooms


def tree(files):
    root = pathlib.Path(tempfile.mkdtemp())
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


class Rooms(unittest.TestCase):
    def test_an_upward_include_is_found(self):
        root = tree({"lib/judge/a.cpp": '#include "kube/client.hpp"\n'})
        self.assertIn("room judge must not include", next(rooms.faults(root)))

    def test_a_foreign_library_is_found(self):
        root = tree({"lib/judge/a.cpp": "#include <curl/curl.h>\n"})
        self.assertIn("belongs to net", next(rooms.faults(root)))

    def test_the_allowed_ways_are_open(self):
        root = tree({"lib/kube/a.cpp": '#include "net/loop.hpp"\n#include "kube/b.hpp"\n',
                     "plugin/app.cpp": '#include "judge/evaluate.hpp"\n'})
        self.assertEqual([], list(rooms.faults(root)))


class Budgets(unittest.TestCase):
    def test_a_long_source_file_is_found(self):
        root = tree({"lib/base/a.cpp": "\n" * 500})
        self.assertIn("at most 400", next(budgets.faults(root)))

    def test_an_unfinished_mark_is_found(self):
        mark = "TO" + "DO"
        root = tree({"lib/base/a.cpp": f"// {mark} later\n"})
        self.assertIn("unfinished", next(budgets.faults(root)))

    def test_a_test_that_never_runs_is_found(self):
        root = tree({"tests/a_test.cpp": 'TEST_CASE("' + '-n names a namespace") {}\n'})
        self.assertIn("must not start with a dash", next(budgets.faults(root)))

    def test_a_header_without_purpose_is_found(self):
        root = tree({"lib/base/a.hpp": "#pragma once\n"})
        self.assertIn("says first what it is for", next(budgets.faults(root)))


class Conformance(unittest.TestCase):
    """Every case but KP1 is a test; KP1 is what each test makes of it."""

    OTHERS = [f"kubeconfig:{case} says what it says" for case in conformance.IDS if case != "KP1"]
    ROW = "| id | kubectl | we | why |\n|---|---|---|---|\n| KP1 | silent | warns | better |\n"

    def faults(self, *names, page=""):
        return list(conformance.faults([*self.OTHERS, *names], page))

    def test_a_case_without_test_and_row_is_found(self):
        self.assertEqual(["KP1: neither the name of a test nor a row of docs/deviations.md"], self.faults())

    def test_a_part_of_another_id_is_no_claim(self):
        self.assertEqual(1, len(self.faults("XKP1, KP1x and KP10 say nothing of it")))

    def test_a_case_with_a_test_or_a_row_is_fine(self):
        self.assertEqual([], self.faults("kubeconfig:I23 and KP1: the first counts"))
        self.assertEqual([], self.faults(page=self.ROW))
        self.assertEqual([], self.faults("KP1 (deviation) the first counts", page=self.ROW))

    def test_a_case_that_is_said_to_be_both_is_found(self):
        self.assertIn("claims to conform", self.faults("KP1 the first counts", page=self.ROW)[0])

    def test_a_deviation_that_nobody_lists_is_found(self):
        self.assertIn("no row", self.faults("KP1 (deviation) the first counts")[0])

    def test_a_case_that_does_not_exist_is_found(self):
        self.assertEqual(["KP99: there is no such case"], self.faults("KP1 is", "KP99 is not"))


if __name__ == "__main__":
    unittest.main()
