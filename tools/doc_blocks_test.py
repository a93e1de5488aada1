"""Tests of tools/doc_blocks: stale blocks are written anew, all else stays as it is."""

import pathlib
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent


class DocBlocksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # Stands for the program: prints its arguments.
        self.program = self.folder / "wmap"
        self.program.write_text('#!/bin/sh\necho "got $*"\n')
        self.program.chmod(0o755)

    def run_on(self, text):
        page = self.folder / "page.md"
        page.write_text(text, encoding="utf-8")
        done = subprocess.run([TOOLS / "doc_blocks", self.program, page], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return page.read_text(encoding="utf-8")

    def test_a_stale_block_is_written_anew(self):
        text = "a\n<!-- prints: wmap get -f 'x y' -->\n```\nold\n```\nb\n```\nold\n```\n"
        self.assertEqual(
            self.run_on(text),
            "a\n<!-- prints: wmap get -f 'x y' -->\n```\n$ wmap get -f 'x y'\ngot get -f x y\n```\n"
            "b\n```\nold\n```\n")

    def test_a_file_is_taken_in_and_the_language_kept(self):
        new = self.run_on("<!-- file: LICENSE -->\n```text\n```\n")
        self.assertTrue(new.startswith("<!-- file: LICENSE -->\n```text\n"))
        self.assertIn("Apache License", new)

    def test_what_is_current_stays(self):
        text = "<!-- prints: wmap v -->\n```\n$ wmap v\ngot v\n```\n"
        self.assertEqual(self.run_on(text), text)


if __name__ == "__main__":
    unittest.main()
