#!/usr/bin/python3
"""From a schema to a tested definition, as a new user goes: files_test.py BINARY

`wmap draft --write` makes a definition and a first case; these are valid, fit the schema and pass,
with samples and without, and nothing that is there is written over.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

REPO = pathlib.Path(__file__).resolve().parent.parent.parent
CASES = REPO / "tests" / "golden" / "draft"
BINARY = ""


def wmap(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], text=True, check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def expect(self, done, code=0):
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def draft(self, *arguments):
        self.expect(wmap("draft", *arguments, "--write", self.folder))
        definition, = [file for file in self.folder.iterdir() if ".cases." not in file.name]
        self.assertTrue(definition.with_suffix(".cases.yaml").exists())
        return definition

    def is_sound(self, definition, crd):
        self.expect(wmap("validate", definition))
        self.expect(wmap("check", definition, "--crd", crd))
        self.assertIn("1 passed, 0 failed", self.expect(wmap("test", self.folder)))

    def test_of_a_schema_alone(self):
        for case in ("lists", "fragments"):
            with self.subTest(case):
                self.setUp()
                crd = CASES / case / "crd.yaml"
                self.is_sound(self.draft("--crd", crd), crd)

    def test_with_a_sample(self):
        crd = CASES / "sample" / "crd.yaml"
        definition = self.draft("--crd", crd, "--sample", CASES / "sample" / "dump.yaml")
        self.is_sound(definition, crd)
        cases = definition.with_suffix(".cases.yaml").read_text()
        # Every pod has its role.
        for attribution in ("sweep-judge: judge", "sweep-large-0: large", "sweep-small-0: small"):
            self.assertIn(attribution, cases)

    def test_what_is_there_stays(self):
        crd = CASES / "lists" / "crd.yaml"
        definition = self.draft("--crd", crd)
        definition.write_text("mine\n")
        self.assertIn("File exists", self.expect(wmap("draft", "--crd", crd, "--write", self.folder), 1))
        self.assertEqual(definition.read_text(), "mine\n")


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main()
