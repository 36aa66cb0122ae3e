#!/usr/bin/env python3
"""A linter that never fails has linted nothing: each one must find a planted fault."""
import pathlib
import tempfile
import unittest

import budgets
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


if __name__ == "__main__":
    unittest.main()
