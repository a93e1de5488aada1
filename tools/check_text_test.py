"""Tests of tools/check_text: each kind of fault is planted and must be found."""

import pathlib
import subprocess
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parent / "check_text"


class CheckTextTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        subprocess.run(["git", "init", "-q", self.root], check=True)

    def check(self, name, data):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        done = subprocess.run([CHECK, self.root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_clean_files_pass(self):
        text = "// text, also \u00e9 and /work or ../work/x and $HOME/work/y\n"
        self.assertEqual(self.check("a.cc", text.encode()), (0, "1 files are clean text\n"))

    def test_each_fault_is_found_with_its_line(self):
        cases = {
            b"ok\n\tx\n": "a:2: tab",
            b"ok\nx \n": "a:2: blank at the end",
            b"ok\r\n": "a:1: Windows line end",
            b"ok\nx": "a:2: no newline at the end",
            b"ok\n\n": "a:2: empty line at the end",
            b"ok\n\xff\n": "a:2: is not UTF-8",
            b"a\0b\n": "a:1: holds binary data",
            b"\xef\xbb\xbfok\n": "a:1: starts with a byte order mark",
            b"// TO" + b"DO later\n": "a:1: TO" + "DO: do it",
            b"// FIX" + b"ME\n": "a:1: FIX" + "ME: do it",
            b"see /ro" + b"ot/x\n": "a:1: path of one machine",
            b"'/wo" + b"rk/main'\n": "a:1: path of one machine",
            b"/ho" + b"me/me/x\n": "a:1: path of one machine",
            b"#!/bin/sh\n": "a:1: is not executable",
        }
        for data, message in cases.items():
            with self.subTest(message):
                code, out = self.check("a", data)
                self.assertEqual(code, 1)
                self.assertIn(message, out)
                self.assertEqual(len(out.splitlines()), 1, out)

    def test_recorded_data_is_left_alone_but_not_the_commands(self):
        self.assertEqual(self.check("tests/golden/g/c/out", b"a \tb")[0], 0)
        self.assertEqual(self.check("fuzz/corpus/x/seed", b"\xff")[0], 0)
        self.assertEqual(self.check("tests/golden/g/c/cmd", b"a \n")[0], 1)

    def test_ignored_files_do_not_count(self):
        self.check(".gitignore", b"/build/\n")
        self.assertEqual(self.check("build/x", b"\t")[0], 0)

    def test_no_files_are_no_success(self):
        done = subprocess.run([CHECK, self.root], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
