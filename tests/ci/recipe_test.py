#!/usr/bin/python3
"""examples/ci/definitions.sh in a repository of its own: recipe_test.py WMAP"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GIT = ["git", "-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]


class Recipe(unittest.TestCase):
    wmap = ""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "kinds").mkdir()
        for name in ("definition.yaml", "definition.cases.yaml"):
            shutil.copy(ROOT / "examples/gang" / name, self.folder / "kinds")
        for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "first"]):
            subprocess.run([*GIT, *words], cwd=self.folder, check=True)

    def run_recipe(self, *words):
        path = f"{pathlib.Path(self.wmap).resolve().parent}:{os.environ['PATH']}"
        environment = {"PATH": path, "HOME": str(self.folder)}
        return subprocess.run(["sh", ROOT / "examples/ci/definitions.sh", *words], cwd=self.folder,
                              env=environment, capture_output=True, text=True, check=False)

    def test_what_is_right(self):
        done = self.run_recipe("main")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("no difference", done.stdout)

    def change(self, old, new):
        file = self.folder / "kinds/definition.yaml"
        text = file.read_text(encoding="utf-8")
        self.assertIn(old, text)
        file.write_text(text.replace(old, new), encoding="utf-8")

    def test_what_breaks_a_rule_is_annotated(self):
        self.change("kind: Karta", "kind: Karta\nnothing: 1")
        done = self.run_recipe()
        self.assertEqual(done.returncode, 1)
        self.assertIn("::error file=kinds/definition.yaml,line=", done.stdout)
        self.assertIn("title=unknown-field", done.stdout)

    def test_a_case_that_reads_otherwise_fails_and_is_shown(self):
        self.change(".parallel // 1", ".parallel // 7")
        done = self.run_recipe("main")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("of what is said", done.stdout)


if __name__ == "__main__":
    Recipe.wmap = sys.argv.pop(1)
    unittest.main()
