#!/usr/bin/python3
"""`wmap check` against what a cluster has, and the workloads that an upgrade would misread."""

import json
import unittest

import yaml

from bed import ROOT, bring_up, kubectl, temporary, until, wmap

DRIFT = ROOT / "tests/golden/check/drift"
DEFINITION = str(DRIFT / "definition.yaml")


def setUpModule():
    unittest.addModuleCleanup(bring_up())
    kubectl("create", "-f", str(DRIFT / "crds/flow/v1.9/crd.yaml"))
    until(lambda: "flowjobs" in kubectl("api-resources", "-o", "name"), "FlowJobs are not served")
    kubectl("create", "namespace", "dug")
    crews = [{"name": "left", "size": 3, "template": {"spec": {"containers": [
        {"name": "main", "resources": {"limits": {"nvidia.com/gpu": "2"}}}]}}}]
    for name, given in (("big", crews), ("small", [{**crews[0], "size": 1}])):
        kubectl("create", "-f", "-", stdin=json.dumps({
            "apiVersion": "mine.example.org/v2", "kind": "FlowJob",
            "metadata": {"name": name, "namespace": "dug"}, "spec": {"crews": given}}))


class Check(unittest.TestCase):
    def rows(self, *words, code=0, **options):
        result = wmap("check", *words, "-o", "json", **options)
        self.assertEqual(result.code, code, result.err)
        return {item["definition"]: [(row["release"], row["result"]) for row in item["releases"]]
                for item in result.json()["items"]}

    def test_a_definition_against_the_cluster(self):
        self.assertEqual(self.rows(DEFINITION), {"flowjob": [("cluster", "pass")]})
        # No more rights than everybody has are needed.
        self.assertEqual(self.rows(DEFINITION, user="pod-lister"), {"flowjob": [("cluster", "pass")]})

    def test_what_is_wrong_is_found(self):
        wrong = (DRIFT / "definition.yaml").read_text().replace(".size // 1", ".sise // 1")
        result = wmap("check", temporary(self, wrong, ".yaml"))
        self.assertEqual(result.code, 1)
        self.assertIn("there is no .spec.crews[].sise", result.out)
        self.assertIn('did you mean "size"?', result.out)

    def test_the_built_in_definitions_of_kinds_that_the_cluster_has(self):
        rows = self.rows()
        self.assertEqual(rows["apps-deployment-v1"], [("cluster", "pass")])
        self.assertEqual(rows["batch-job-v1"], [("cluster", "pass")])
        self.assertNotIn("milvus-io-milvus-v1beta1", rows)

    def test_definitions_of_the_cluster(self):
        kubectl("create", "-f", "-", stdin=(ROOT / "tests/live/kartas.crd.yaml").read_text())
        self.addCleanup(kubectl, "delete", "crd", "kartas.run.ai")
        until(lambda: "kartas" in kubectl("api-resources", "-o", "name"), "kartas are not served")
        definition = yaml.safe_load((DRIFT / "definition.yaml").read_text())
        kubectl("create", "-f", "-", stdin=json.dumps(definition))
        self.assertEqual(self.rows()["flowjob"], [("cluster", "pass")])

    def test_a_kind_that_the_cluster_does_not_have(self):
        other = (DRIFT / "definition.yaml").read_text().replace("FlowJob", "GlowJob")
        result = wmap("check", temporary(self, other, ".yaml"))
        self.assertEqual(result.code, 1)
        self.assertIn("could not be checked: there is no schema of it", result.err)

    def test_an_upgrade_and_the_workloads_that_it_would_misread(self):
        new = str(DRIFT / "crds/flow/v1.10")
        # By the files of the old release, and by what is installed.
        for old in (str(DRIFT / "crds/flow/v1.9"), "cluster"):
            result = wmap("check", DEFINITION, "--drift", old, new, "-o", "json")
            self.assertEqual(result.code, 1, result.err)
            answer = result.json()
            releases = answer["items"][0]["releases"]
            self.assertEqual([row["result"] for row in releases], ["pass", "broken"], old)
            self.assertEqual(answer["compared"], 2)
            self.assertEqual([change["workload"] for change in answer["workloads"]], ["FlowJob/big"])
            changes = {one["field"]: (one["before"], one["after"])
                       for one in answer["workloads"][0]["changes"]}
            self.assertEqual(changes["pods.desired"], (3, 1))
            self.assertEqual(changes["gpus.desired"], (6, 2))


if __name__ == "__main__":
    unittest.main()
