"""Tests of tools/dumps_page: the table has what definitions refer to, and the rest of a page stays."""

import pathlib
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent
DEFINITION = """
metadata:
  annotations:
    wmap.dev/extensions: >-
      {"objects": [{"kind": "Plan", "group": "x.io", "name": ".spec.plan"}],
      "components": {"a": {"childScale": [{"group": "autoscaling", "kind": "Scaler"}, {"group": "apps", "kind": "Deployment"}]},
      "b": {"childScale": {"group": "apps", "kind": "Deployment"}}}}
spec:
  structureDefinition:
    rootComponent: {kind: {group: x.io, version: v1, kind: Dig}}
    childComponents:
    - {name: a, kind: {group: apps, version: v1, kind: Deployment}}
    - {name: b, kind: {group: "", version: v1, kind: Pod}}
    - {name: c}
    additionalChildKinds:
    - {group: apps, version: v1, kind: ReplicaSet}
    - {group: networking.k8s.io, version: v1, kind: Ingress}
"""
PAGE = "# T\n<!-- kinds -->\nold\n<!-- end of kinds -->\ntail\n"


class DumpsPage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "dig.yaml").write_text(DEFINITION)
        (self.folder / "dig.cases.yaml").write_text("cases: []")
        self.page = self.folder / "page.md"
        self.page.write_text(PAGE)

    def run_tool(self):
        return subprocess.run([TOOLS / "dumps_page", self.folder, self.page],
                              capture_output=True, text=True)

    def test_the_table_is_that_of_the_definitions(self):
        self.assertEqual(self.run_tool().returncode, 0)
        self.assertEqual(self.page.read_text(), """# T
<!-- kinds -->
| kind | that pods find it | that counts are whole |
| --- | --- | --- |
| dig.x.io | deployment.apps, replicaset.apps | plan.x.io, scaler.autoscaling, deployment.apps |
<!-- end of kinds -->
tail
""")

    def test_versions_of_a_kind_are_one_row(self):
        (self.folder / "old.yaml").write_text(DEFINITION.replace("ReplicaSet", "StatefulSet"))
        self.run_tool()
        self.assertIn("| dig.x.io | deployment.apps, replicaset.apps, statefulset.apps |",
                      self.page.read_text())

    def test_a_kind_that_needs_only_its_pods_has_no_row(self):
        (self.folder / "plain.yaml").write_text("""
metadata: {name: plain}
spec: {structureDefinition: {rootComponent: {kind: {group: apps, kind: Plain}}}}
""")
        self.assertEqual(self.run_tool().returncode, 0)
        self.assertNotIn("plain.apps", self.page.read_text())

    def test_a_page_that_is_current_is_left_alone(self):
        self.run_tool()
        before = self.page.stat().st_mtime_ns
        self.run_tool()
        self.assertEqual(self.page.stat().st_mtime_ns, before)

    def test_a_page_without_the_marks_is_refused(self):
        self.page.write_text("# T\n")
        result = self.run_tool()
        self.assertEqual(result.returncode, 1)
        self.assertIn("lacks the lines", result.stderr)


if __name__ == "__main__":
    unittest.main()
