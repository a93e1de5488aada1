#!/usr/bin/python3
"""Tests of tools/differential, with made-up outcomes in place of the three programs."""

import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

PATH = pathlib.Path(__file__).resolve().parent / "differential"


def load():
    loader = importlib.machinery.SourceFileLoader("differential", str(PATH))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("differential", loader))
    loader.exec_module(module)
    return module


differential = load()


def gives(*results, at=None):
    outcome = {"results": list(results)}
    return outcome if at is None else outcome | {"at": at, "error": "m"}


def three(ours, jq, gojq):
    return {"ours": ours, "jq": jq, "gojq": gojq}


class DifferentialTest(unittest.TestCase):
    def explained(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "explained.yaml"
        path.write_text(text)
        return differential.Explained(path)

    def test_values_not_types_of_numbers(self):
        self.assertTrue(differential.same([1.0, {"a": -0.0}], [1.0, {"a": 0.0}]))
        self.assertFalse(differential.same(False, 0.0))
        self.assertFalse(differential.same([0.1 + 0.2], [0.3]))
        self.assertFalse(differential.same({"a": None}, {}))

    def test_how_the_three_stand(self):
        one, two, error = gives(1.0), gives(2.0), gives(1.0, at="run")
        self.assertEqual(differential.relation(three(one, one, one)), "same")
        self.assertEqual(differential.relation(three(one, one, two)), "as jq")
        self.assertEqual(differential.relation(three(one, two, one)), "as gojq")
        self.assertEqual(differential.relation(three(one, two, two)), "alone")
        self.assertEqual(differential.relation(three(one, error, error)), "alone")
        self.assertEqual(differential.relation(three(error, error, error)), "same")
        self.assertEqual(differential.relation(three(one, two, error)), "all differ")
        self.assertEqual(differential.relation(three(one, two, gives(at="limit"))), "limit")

    def test_only_what_fits_is_explained(self):
        explained = self.explained("[{reason: r, relation: [alone], program: ab+, input: x}]")
        alone = three(gives(1.0), gives(2.0), gives(2.0))
        self.assertEqual(explained.reason(("abb", "x"), alone), "r")
        self.assertIsNone(explained.reason(("a", "x"), alone))
        self.assertIsNone(explained.reason(("abb", "y"), alone))
        self.assertIsNone(explained.reason(("abb", "x"), three(gives(1.0), gives(2.0), gives(1.0))))

    def test_wide_entries_are_refused(self):
        for text in ("[{reason: r, program: a}]", "[{program: a, input: b, relation: [alone]}]",
                     "[{reason: r, program: a, colour: b}]"):
            with self.assertRaises(SystemExit):
                self.explained(text)

    def test_checks_of_results(self):
        def check(name, ours, other):
            return differential.CHECKS[name](("", ""), ours, other)
        pair = gives({"a": 1.0}, [2.0, "xy"])
        self.assertTrue(check("order", pair, gives(["yx", 2.0], {"a": 1.0})))
        self.assertFalse(check("order", pair, gives(["yx", 3.0], {"a": 1.0})))
        self.assertTrue(check("digits", gives("[1.50]"), gives("[1.5]")))
        self.assertFalse(check("digits", gives("[1.50]"), gives("[1.6]")))
        self.assertFalse(check("digits", gives("-0"), gives("0")))
        self.assertTrue(check("zero", gives("-0"), gives("0")))
        self.assertTrue(check("close", gives("a1.0000000000001", 1.0), gives("a1", 1.0000000000001)))
        self.assertFalse(check("close", gives(1.0), gives(1.1)))
        self.assertTrue(check("nul", gives("a\0b"), gives("a\\0b")))
        self.assertFalse(check("nul", gives("a\0b"), gives("ab")))
        self.assertFalse(check("nul", gives("\\u0000"), gives("\\0")))
        self.assertTrue(check("nan", gives("1,null", 1.0), gives("1,", 1.0)))
        self.assertFalse(check("nan", gives("1,null"), gives("2,")))
        self.assertTrue(check("texts", gives("a", 1.0), gives("b", 1.0)))
        self.assertFalse(check("texts", gives("a", 1.0), gives("b", 2.0)))

    def test_a_planted_fault_is_made_small(self):
        def outcomes(pair):
            right = gives(1.0)
            return three(gives(2.0) if "skip(" in pair[0] and "7" in pair[1] else right, right, right)

        differential.run_all = lambda commands, pairs: map(outcomes, pairs)
        pair = ("[.a | skip(1; .b, 2)] + (1 | [3])", '{"a":[1,7],"b":2}')
        small = differential.shrink({}, self.explained("[]"), [(pair, outcomes(pair))])
        self.assertEqual(len(small), 1)
        program, data = small[0][0]
        self.assertIn("skip(", program)
        self.assertLess(len(program), 10)
        self.assertLess(len(data), 3)


if __name__ == "__main__":
    unittest.main()
