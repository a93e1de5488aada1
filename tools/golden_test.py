"""Tests of tools/golden with a stand-in for the program."""

import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"

FAKE = """\
#!/bin/bash
case $1 in
  echo) shift; printf '%s\\n' "$@" ;;
  cat) cat ;;
  fail) echo broken >&2; exit 2 ;;
  env) echo "HOME=$HOME KUBECONFIG=$KUBECONFIG NO_COLOR=$NO_COLOR TZ=$TZ" | sed "s|HOME=/[^ ]*|HOME=/...|" ;;
  where) basename "$PWD" ;;
  hang) sleep 30 ;;
  crash) kill -SEGV $$ ;;
  asan) echo '==1==ERROR: AddressSanitizer: heap-use-after-free' >&2 ;;
  ubsan) echo 'a.cc:1:2: runtime error: shift' >&2 ;;
esac
"""


class GoldenTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.top = pathlib.Path(self.folder.name)
        self.root = self.top / "golden"
        self.root.mkdir()
        self.fake = self.top / "wmap"
        self.fake.write_text(FAKE)
        self.fake.chmod(0o755)
        (self.top / "shared").mkdir()
        self.environment = {"PATH": os.environ["PATH"], "WMAP_SHARED": str(self.top / "shared"),
                            "KUBECONFIG": "/mine", "NO_COLOR": "1", "HOME": "/mine"}

    def case(self, name, **files):
        folder = self.root / name
        folder.mkdir(parents=True)
        for part, text in files.items():
            (folder / part).write_text(text)
        return folder

    def run_golden(self, *arguments):
        done = subprocess.run([GOLDEN, "--binary", self.fake, "--root", self.root, *arguments],
                              env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def expect_failure(self, message, *arguments):
        code, out = self.run_golden(*arguments)
        self.assertEqual(code, 1, out)
        self.assertIn(message, out)
        self.assertEqual(out.splitlines()[-1], "0 passed, 1 failed")

    def test_passes_when_everything_agrees(self):
        self.case("a/one", cmd="# what it shows\necho 'two words' b\n", out="two words\nb\n")
        self.case("a/two", cmd="cat", stdin="given", out="given")
        self.case("b/three", cmd="fail", err="broken\n", code="2\n")
        self.case("b/four", cmd="where", out="four\n")
        self.assertEqual(self.run_golden(), (0, "4 passed, 0 failed\n"))
        self.assertEqual(self.run_golden("a"), (0, "2 passed, 0 failed\n"))
        self.assertEqual(self.run_golden("a/two", "b"), (0, "3 passed, 0 failed\n"))

    def test_environment_is_clean_and_can_be_set_by_the_case(self):
        self.case("a/clean", cmd="env", out="HOME=/... KUBECONFIG= NO_COLOR= TZ=UTC\n")
        self.case("a/set", cmd="NO_COLOR=2 KUBECONFIG='$SHARED/c' env",
                  out="HOME=/... KUBECONFIG=$SHARED/c NO_COLOR=2 TZ=UTC\n")
        self.assertEqual(self.run_golden(), (0, "2 passed, 0 failed\n"))

    def test_other_output_fails_with_a_diff(self):
        self.case("a/b", cmd="echo right", out="wrong\n")
        self.expect_failure("-wrong\n+right")

    def test_missing_last_newline_fails(self):
        self.case("a/b", cmd="echo x", out="x")
        self.expect_failure("last newline")

    def test_absent_files_mean_nothing_printed_and_code_0(self):
        self.case("a/b", cmd="fail")
        self.expect_failure("+broken")

    def test_other_code_fails(self):
        self.case("a/b", cmd="fail", err="broken\n", code="3\n")
        self.expect_failure("-3\n+2")

    def test_hang_fails(self):
        self.case("a/b", cmd="hang")
        self.expect_failure("still running after 0.2 s", "--timeout", "0.2")

    def test_death_by_signal_fails_and_is_never_recorded(self):
        folder = self.case("a/b", cmd="crash", code="139\n")
        self.expect_failure("killed by signal 11", "--update")
        self.assertEqual((folder / "code").read_text(), "139\n")

    def test_sanitizer_reports_fail_whatever_is_expected(self):
        self.case("a/b", cmd="asan", err="==1==ERROR: AddressSanitizer: heap-use-after-free\n")
        self.expect_failure("a sanitizer reports")

    def test_undefined_behaviour_fails(self):
        self.case("a/b", cmd="ubsan", err="a.cc:1:2: runtime error: shift\n")
        self.expect_failure("a sanitizer reports")

    def test_unknown_case_fails(self):
        self.expect_failure("no case below", "nothing")

    def test_no_cases_at_all_fail(self):
        self.expect_failure("no case below")

    def test_broken_cmd_fails_alone(self):
        self.case("a/b", cmd="echo 'open")
        self.expect_failure("No closing quotation")

    def test_absent_shared_data_skips_and_fails_under_ci(self):
        self.environment["WMAP_SHARED"] = str(self.top / "absent")
        self.case("a/b", cmd="echo $SHARED/x", out="$SHARED/x\n")
        code, out = self.run_golden()
        self.assertEqual(code, 0)
        self.assertEqual(out.splitlines()[-1], "0 passed, 0 failed, 1 skipped")
        self.environment["CI"] = "true"
        self.expect_failure("needs the shared test data")

    def test_update_writes_and_removes_files(self):
        folder = self.case("a/b", cmd="echo new", out="old\n", err="old\n", code="1\n")
        code, _ = self.run_golden("--update")
        self.assertEqual(code, 0)
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ["cmd", "out"])
        self.assertEqual((folder / "out").read_text(), "new\n")
        self.assertEqual(self.run_golden(), (0, "1 passed, 0 failed\n"))

    def test_junit_counts_each_case(self):
        self.case("a/good", cmd="echo x", out="x\n")
        self.case("a/bad", cmd="echo '<&\x01>'")
        path = self.top / "results" / "golden.xml"
        self.run_golden("--junit", str(path))
        cases = xml.etree.ElementTree.parse(path).getroot().findall("testcase")
        self.assertEqual([(c.get("name"), c.find("failure") is not None) for c in cases],
                         [("a/bad", True), ("a/good", False)])

    def test_missing_program_is_said(self):
        done = subprocess.run([GOLDEN, "--binary", "/nonexistent"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no program at /nonexistent", done.stderr)


if __name__ == "__main__":
    unittest.main()
