#!/usr/bin/python3
"""Users who may read a part: what they may see is shown, what they may not is named, and the exit code
says that it is not all."""

import json
import unittest

from bed import PATIENCE, bring_up, kubectl, wmap

READ = ["get", "list", "watch"]
# Who may read what in the namespace "access".
USERS = {
    "owner": [{"apiGroups": ["*"], "resources": ["*"], "verbs": READ}],
    "without-pods": [{"apiGroups": ["apps", "batch", "jobset.x-k8s.io"], "resources": ["*"], "verbs": READ}],
    "without-custom": [{"apiGroups": ["", "apps", "batch"], "resources": ["*"], "verbs": READ}],
    "only-lists": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["list"]}],
    "only-get": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["get"]}],
}


def setUpModule():
    unittest.addModuleCleanup(bring_up())
    kubectl("create", "namespace", "access")
    unittest.addModuleCleanup(kubectl, "delete", "namespace", "access", "--wait=false")
    items = []
    for user, rules in USERS.items():
        place = {"name": user, "namespace": "access"}
        items.append({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": place,
                      "rules": rules})
        items.append({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
                      "metadata": place,
                      "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": user},
                      "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user}]})
    kubectl("create", "-f", "-", stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    kubectl("create", "deployment", "web", "-n", "access", "--image=x", "--replicas=2")
    kubectl("wait", "deployment/web", "-n", "access", "--for=condition=Available", PATIENCE)


def listed(user, *arguments):
    result = wmap("get", "-o", "json", "--as", user, *(arguments or ("-n", "access")))
    return result, [item["name"] for item in result.json()["items"]]


def denied(result):
    """The types that could not be read, as the messages name them."""
    return {name for line in result.err.splitlines()
            for name in line.split(":")[1].removeprefix(" cannot list ").split(", ")}


class Parts(unittest.TestCase):
    def test_one_namespace_is_enough(self):
        result, names = listed("owner")
        self.assertEqual((result.code, result.err, names), (0, "", ["web"]))
        self.assertTrue(result.json()["complete"])
        for command in ("tree", "describe"):
            done = wmap(command, "deploy/web", "-n", "access", "--as", "owner")
            self.assertEqual((done.code, done.err), (0, ""))

    def test_a_namespace_that_is_no_name(self):
        """Nothing is asked of the server, which might take it for another path."""
        for name, why in (("bad/ns", "'/'"), ("..", "'..'"), (".", "'.'"), ("a%2Fb", "'%'")):
            done = wmap("get", "-n", name)
            self.assertEqual((done.code, done.out), (2, ""), name)
            self.assertIn(f'error: invalid namespace "{name}": may not', done.err)
            self.assertIn(why, done.err)
            self.assertEqual(done.err.count("\n"), 1, done.err)
        done = wmap("get", "-n", "access?x=y")
        self.assertIn('there is no namespace "access?x=y"', done.err)

    def test_another_namespace_and_all_of_them(self):
        for arguments, words in ((("-n", "default"), 'in the namespace "default"'),
                                 (("-A",), "at the cluster scope")):
            result, names = listed("owner", *arguments)
            self.assertEqual((result.code, names), (1, []))
            self.assertFalse(result.json()["complete"])
            self.assertLessEqual({"pods", "jobs.batch", "jobsets.jobset.x-k8s.io"}, denied(result))
            for line in result.err.splitlines():
                self.assertTrue(line.startswith("error: cannot list "), line)
                self.assertIn('User "owner" cannot list', line)
                self.assertIn(words, line)
            # That there is nothing cannot be known.
            self.assertNotIn("No workloads", wmap("get", *arguments, "--as", "owner").err)

    def test_what_is_refused_for_one_reason_is_one_line(self):
        error = wmap("get", "-n", "default", "--as", "owner").err
        self.assertEqual(error.count("\n"), 1, error)
        self.assertTrue(error.endswith('User "owner" cannot list them in the namespace "default"\n'), error)
        # In JSON each has an entry of its own, with the server's words.
        codes = [(one["code"], "cannot list resource" in one["message"])
                 for one in listed("owner", "-n", "default")[0].json()["diagnostics"]]
        self.assertGreater(len(codes), 3)
        self.assertEqual(set(codes), {("forbidden", True)})

    def test_with_a_type_only_what_matters_is_named(self):
        result, names = listed("without-custom", "deploy", "-n", "access")
        self.assertEqual((result.code, result.err, names), (0, "", ["web"]))
        self.assertTrue(result.json()["complete"])
        # Pods always do, and so does the type itself.
        self.assertEqual(denied(listed("without-pods", "deploy", "-n", "access")[0]), {"pods"})
        self.assertEqual(denied(listed("without-custom", "jobset", "-n", "access")[0]),
                         {"jobsets.jobset.x-k8s.io"})

    def test_who_may_get_and_not_list(self):
        result, names = listed("only-get", "deploy/web", "-n", "access")
        self.assertEqual((result.code, names), (1, ["web"]))
        self.assertNotIn("deployments.apps", denied(result))
        self.assertIn("pods", denied(result))
        result, names = listed("only-get", "deploy", "web", "-n", "access")
        self.assertEqual(names, ["web"])
        # That it is not there is known as well.
        result = wmap("get", "deploy/nothing", "-n", "access", "--as", "only-get")
        self.assertIn("error: deploy/nothing not found", result.err)
        # What may not even be got may be there.
        result = wmap("get", "deploy/web", "-n", "access", "--as", "nobody-else")
        self.assertEqual((result.code, result.out), (1, ""))
        self.assertNotIn("not found", result.err)
        self.assertIn("whether there is deploy/web is not known: deployments.apps could not be listed",
                      result.err)

    def test_owners_that_may_not_be_read(self):
        jobset = json.loads(kubectl("create", "-f", "-", "-o", "json", stdin=json.dumps({
            "apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
            "metadata": {"name": "train", "namespace": "access"},
            "spec": {"replicatedJobs": [{"name": "w", "template": {"spec": {"template": {"spec": {
                "restartPolicy": "Never", "containers": [{"name": "m", "image": "x"}]}}}}}]}})))
        self.addCleanup(kubectl, "delete", "jobset/train", "-n", "access")
        owner = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "name": "train",
                 "uid": jobset["metadata"]["uid"], "controller": True}
        kubectl("create", "-f", "-", stdin=json.dumps({
            "apiVersion": "batch/v1", "kind": "Job",
            "metadata": {"name": "train-w-0", "namespace": "access", "ownerReferences": [owner]},
            "spec": {"suspend": True, "template": {"spec": {
                "restartPolicy": "Never", "containers": [{"name": "m", "image": "x"}]}}}}))
        self.addCleanup(kubectl, "delete", "job/train-w-0", "-n", "access", "--ignore-not-found")
        result = wmap("get", "job", "-n", "access", "--as", "without-custom")
        self.assertEqual(result.code, 1)
        self.assertIn("train-w-0", result.out)
        self.assertIn("cannot list jobsets.jobset.x-k8s.io", result.err)
        self.assertIn("Job/train-w-0: it belongs to JobSet/train, which could not be read", result.err)

    def test_without_pods_no_pods_are_counted(self):
        result, names = listed("without-pods")
        self.assertEqual((result.code, names, denied(result)), (1, ["web"], {"pods"}))
        item = result.json()["items"][0]
        self.assertEqual(item["totals"]["pods"]["desired"], 2)
        for count in ("observed", "ready"):
            self.assertNotIn(count, item["totals"]["pods"])
        self.assertEqual(item["status"]["evidence"], "object")
        self.assertIn("-/2", wmap("get", "-n", "access", "--as", "without-pods").out)

    def test_without_custom_types(self):
        result, names = listed("without-custom")
        self.assertEqual((result.code, names), (1, ["web"]))
        self.assertEqual(denied(result), {"jobsets.jobset.x-k8s.io"})
        self.assertEqual(result.json()["items"][0]["totals"]["pods"]["ready"], 2)
        diagnostics = result.json()["diagnostics"]
        self.assertEqual([(one["code"], one["severity"]) for one in diagnostics], [("forbidden", "error")])

    def test_a_name_that_may_be_in_what_cannot_be_read(self):
        result = wmap("get", "jobset/x", "-n", "access", "--as", "without-custom")
        self.assertEqual(result.code, 1)
        self.assertIn("cannot list jobsets.jobset.x-k8s.io", result.err)
        result = wmap("get", "deploy/x", "-n", "access", "--as", "owner")
        self.assertEqual(result.code, 3)

    def test_who_may_list_and_not_watch(self):
        self.assertEqual(wmap("get", "-n", "access", "--as", "only-lists").code, 0)
        # Whoever may read nothing has nothing to wait for. (Lists instead: follow_test.)
        result = wmap("get", "-n", "default", "--as", "nobody-else", "-w")
        self.assertEqual((result.code, result.out), (1, ""))
        self.assertTrue(result.err.endswith("error: there is nothing left to follow\n"), result.err)


if __name__ == "__main__":
    unittest.main()
