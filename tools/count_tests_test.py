"""Tests of tools/count_tests."""

import pathlib
import subprocess
import tempfile
import unittest

COUNT = pathlib.Path(__file__).resolve().parent / "count_tests"


class CountTestsTest(unittest.TestCase):
    def count(self, entries, **files):
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            (top / "ctest.xml").write_text(f"<testsuite>{entries}</testsuite>")
            for name, text in files.items():
                (top / f"{name}.xml").write_text(text)
            return subprocess.run([COUNT, top / "ctest.xml", top], capture_output=True, text=True,
                                  check=True).stdout

    def test_entry_without_file_is_one_test(self):
        self.assertEqual(self.count('<testcase name="a" status="run"/>'
                                    '<testcase name="b" status="fail"/>'
                                    '<testcase name="c" status="notrun"/>'), "1 1 1\n")

    def test_single_tests_count_where_they_are_known(self):
        results = ('<testsuites><testsuite>'
                   '<testcase name="1" status="run" result="completed"/>'
                   '<testcase name="2" status="run" result="completed"><failure/></testcase>'
                   '<testcase name="3" status="run" result="skipped"><skipped/></testcase>'
                   '<testcase name="4" status="notrun" result="suppressed"/>'
                   '</testsuite></testsuites>')
        self.assertEqual(self.count('<testcase name="a" status="fail"/>', a=results), "1 1 1\n")

    def test_program_that_died_counts_as_a_failure(self):
        whole = '<testsuites><testcase status="run" result="completed"/></testsuites>'
        died = '<testcase name="a" status="fail"/>'
        self.assertEqual(self.count(died, a=whole), "1 1 0\n")
        self.assertEqual(self.count(died, a=""), "0 1 0\n")


if __name__ == "__main__":
    unittest.main()
