"""Tests of tools/expressions_page: tables come out whole, and a page that is current is left alone."""

import pathlib
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent
MANUAL = r"""
title: T
text: |
  Intro.
chapters:
- title: One
  text: |
    Chapter.
  sections:
  - title: First
    entries:
    - builtin: f($x)
      types: any; any → number*
      text: Means a | b.
      expr: 'f(1) | g'
      input: '{"a":1}'
      output: '[1, 2] "a b" 1.0'
    - form: '@f'
      expr: '@f'
      output: ''
  - title: Second
    entries:
    - point: P
      others: O
      ours: W
      expr: "[1,\n2]"
      output: '1'
      error: oh no
- title: Two
  text: |
    Only text.
"""
PAGE = r"""<!-- written by tools/expressions_page from docs/expressions.yaml -->
# T

Intro.

## One

Chapter.

### First

| builtin | types | meaning | example |
| --- | --- | --- | --- |
| `f($x)` | any; any → number* | Means a \| b. | `f(1) \| g` on `{"a":1}` gives `[1, 2]`, `"a b"`, `1.0` |
| `@f` |  |  | `@f` gives nothing |

### Second

| point | others | we, and why | example |
| --- | --- | --- | --- |
| P | O | W | `[1,⏎2]` gives `1`, then fails: oh no |

## Two

Only text.
"""


class ExpressionsPageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data.yaml"
        self.page = pathlib.Path(folder.name) / "page.md"

    def run_on(self, manual):
        self.data.write_text(manual, encoding="utf-8")
        return subprocess.run([TOOLS / "expressions_page", self.data, self.page], capture_output=True,
                              text=True, check=False)

    def test_a_page_is_written(self):
        done = self.run_on(MANUAL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.page.read_text(encoding="utf-8"), PAGE)
        self.assertEqual(done.stdout, "page.md: written\n")

    def test_a_stale_page_is_written_anew_and_a_current_one_left_alone(self):
        self.page.write_text("old", encoding="utf-8")
        self.assertEqual(self.run_on(MANUAL).stdout, "page.md: written\n")
        self.assertEqual(self.run_on(MANUAL).stdout, "")
        self.assertEqual(self.page.read_text(encoding="utf-8"), PAGE)

    def test_results_that_are_no_json_are_refused(self):
        done = self.run_on(MANUAL.replace("'[1, 2] \"a b\" 1.0'", "'[1, 2'"))
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(self.page.exists())

    def test_an_entry_about_nothing_is_refused(self):
        done = self.run_on(MANUAL.replace("form: '@f'", "shape: '@f'"))
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(self.page.exists())


if __name__ == "__main__":
    unittest.main()
