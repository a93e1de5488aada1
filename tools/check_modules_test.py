"""Tests of tools/check_modules: each kind of violation is planted and must be found."""

import pathlib
import subprocess
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parent / "check_modules"

TABLE = """\
wmap_module(base)
wmap_module(json USES base)
wmap_module(yaml
  USES base json)
# wmap_module(ghost)
wmap_program(cli USES base json yaml)
"""


class CheckModulesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("CMakeLists.txt", TABLE)
        self.write("src/base/a.h", "#include <string>\n")
        self.write("src/json/b.h", '#include <emmintrin.h>\n\n#include "base/a.h"\n')
        self.write("src/yaml/c.cc", '#include <yaml.h>\n\n#include "json/b.h"\n')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def check(self):
        done = subprocess.run([CHECK, self.root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def expect_fault(self, name, text, message):
        self.write(name, text)
        code, out = self.check()
        self.assertEqual(code, 1, out)
        self.assertEqual(len(out.splitlines()), 1, out)
        self.assertIn(name, out)
        self.assertIn(message, out)

    def test_kept_layers_pass(self):
        code, out = self.check()
        self.assertEqual((code, out), (0, "3 files in 4 modules keep the layers\n"))

    def test_upward_include_is_found(self):
        self.expect_fault("src/base/x.cc", '#include "json/b.h"\n', "base may not use json")

    def test_include_of_a_module_that_is_not_listed_is_found(self):
        self.expect_fault("src/json/x_test.cc", '#include "yaml/c.h"\n', "json may not use yaml")

    def test_include_without_module_is_found(self):
        self.expect_fault("src/base/x.cc", '#include "a.h"\n', "module/file.h")

    def test_missing_header_is_found(self):
        self.expect_fault("src/json/x.cc", '#include "base/none.h"\n', "no such header")

    def test_a_header_for_few_files_is_found_elsewhere(self):
        self.write("CMakeLists.txt", TABLE + "wmap_module(kube)\nwmap_module(live USES kube)\n")
        self.write("src/kube/patch.h", "")
        for name in ("patch.cc", "patch_test.cc"):
            self.write("src/kube/" + name, '#include "kube/patch.h"\n')
        self.assertEqual(self.check()[0], 0)
        self.expect_fault("src/live/x.cc", '#include "kube/patch.h"\n', "only reads")

    def test_third_party_header_of_another_owner_is_found(self):
        self.expect_fault("src/json/x.cc", "#include <yaml.h>\n", "only src/yaml")

    def test_third_party_header_in_a_header_is_found(self):
        self.expect_fault("src/yaml/x.h", "#  include  <yaml.h>\n", "in .cc files")

    def test_unknown_third_party_header_is_found(self):
        self.expect_fault("src/cli/x.cc", "#include <boost/json.hpp>\n", "unknown header")

    def test_system_header_outside_of_its_owner_is_found(self):
        self.expect_fault("src/json/x.cc", "#include <sys/mman.h>\n", "only src/cli, src/input")

    def test_banned_standard_header_is_found(self):
        self.expect_fault("src/cli/x.cc", "#include <iostream>\n", "static objects")

    def test_test_framework_in_the_library_is_found(self):
        self.expect_fault("src/json/x.cc", "#include <gtest/gtest.h>\n", "test framework")

    def test_folder_without_module_is_found(self):
        self.expect_fault("src/ghost/x.cc", "\n", "no wmap_module(ghost)")

    def test_table_that_points_upwards_is_found(self):
        self.write("CMakeLists.txt", "wmap_module(json USES base)\nwmap_module(base)\n"
                                     "wmap_module(yaml USES base json)\n")
        code, out = self.check()
        self.assertEqual(code, 1)
        self.assertIn("json uses base, which is no lower layer", out)

    def test_empty_source_tree_is_no_success(self):
        for path in self.root.glob("src/*/*"):
            path.unlink()
        code, out = self.check()
        self.assertEqual(code, 1)
        self.assertIn("no source files", out)


if __name__ == "__main__":
    unittest.main()
