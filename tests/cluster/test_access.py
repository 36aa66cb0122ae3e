"""Permissions against real RBAC, and what the API server's audit log saw of it all."""
import copy
import json
import pathlib
import re
import subprocess
import urllib.parse

from suite import NAMESPACE, ClusterTest

WORKERS = 4
PROMISES = pathlib.Path(__file__).resolve().parents[2] / "lib/kube/permissions.hpp"


def promised():
    """{(verb, resource, subresource)}: the table of everything that may ever be asked."""
    rows = re.findall(r'Permission\{Use::\w+,\s*"(\w+)",\s*"[^"]*",\s*"(\w+)",\s*"(\w*)"',
                      PROMISES.read_text())
    assert len(rows) > 4, "the table of permissions could not be read"
    return set(rows)


class AccessTest(ClusterTest):
    def asked(self, user):
        """[(verb, resource, subresource)] of the user's requests for objects."""
        return [(entry["verb"], entry["objectRef"]["resource"],
                 entry["objectRef"].get("subresource", ""))
                for entry in self.cluster.audit(user) if "objectRef" in entry]

    def execs(self, user, verb):
        return self.asked(user).count((verb, "pods", "exec"))

    def rules(self):
        """The rules of the Role that `rbac` prints."""
        _, out, _ = self.plugin().run("rbac", "-n", NAMESPACE, "--user", "x", "-o", "json")
        documents = json.loads(out)
        items = documents["items"] if documents["kind"] == "List" else [documents]
        return [item for item in items if item["kind"] == "Role"][0]["rules"]

    def test_the_role_that_rbac_prints_is_enough_for_everything_it_claims(self):
        self.deploy("disagg-ib")
        name, client = self.user()
        _, role, _ = self.plugin().run("rbac", "-n", NAMESPACE, "--user", name)
        self.cluster.admin.run("apply", "-f", "-", input=role)
        code, out, err = self.plugin(client).run("rbac", "--check", "-n", NAMESPACE)
        self.assertEqual(code, 0, out + err)
        code, report, err = self.plugin(client).check()
        self.assertEqual((code, report["coverage"]["probed"], err), (0, WORKERS, ""))
        graphs = [row for row in report["checks"] if row["name"] == "dgd-status"]
        self.assertEqual([row["status"] for row in graphs], ["ok"])

    def test_each_rule_of_it_is_needed_and_its_lack_is_named(self):
        self.deploy("disagg-ib")
        rules = self.rules()
        for i, rule in enumerate(rules):
            for resource in rule["resources"]:
                for verb in rule["verbs"]:
                    with self.subTest(f"{verb} {resource}"):
                        self.assert_named_when_missing(rules, i, verb, resource)

    def assert_named_when_missing(self, rules, index, verb, resource):
        fewer = copy.deepcopy(rules)
        rest = [one for one in fewer[index]["verbs"] if one != verb]
        fewer[index]["verbs"] = rest
        _, client = self.user([rule for rule in fewer if rule["verbs"]])
        _, out, err = self.plugin(client).run("rbac", "--check", "-n", NAMESPACE)
        line = [line for line in out.splitlines() if re.search(rf"\b{verb}\b", line)
                and resource in line and "no" in line.split()]
        self.assertTrue(line, f"{verb} {resource} is not named as missing:\n{out}{err}")

    def test_without_list_on_pods_the_missing_rule_is_printed(self):
        self.deploy("disagg-ib")
        _, client = self.user([rule for rule in self.rules() if rule["resources"] != ["pods"]])
        code, out, err = self.plugin(client).run("check", "-n", NAMESPACE)
        self.assertEqual((code, out), (4, ""))
        self.assertRegex(err, r"(?s)missing in namespace dynamo-demo:.*- pods\n.*- list\n")

    def test_without_list_on_graphs_only_its_rows_are_missing_and_say_so(self):
        self.deploy("disagg-ib")
        rules = [rule for rule in self.rules() if "dynamographdeployments" not in rule["resources"]]
        _, client = self.user(rules)
        code, report, err = self.plugin(client).check()
        self.assertEqual(code, 0, err)
        said = [row for row in report["checks"]
                if row["reason"] == "no-permission" and "DynamoGraphDeployments" in row["detail"]]
        self.assertTrue(said)

    def test_a_create_only_role_works_through_kubectl_and_says_so(self):
        self.deploy("disagg-ib")
        rules = [dict(rule, verbs=["create"]) if "pods/exec" in rule["resources"] else rule
                 for rule in self.rules()]
        rules.append({"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]})  # kubectl's own
        name, client = self.user(rules)
        code, report, err = self.plugin(client).check()
        self.assertEqual((code, report["coverage"]["probed"]), (0, WORKERS), err)
        self.assertIn("entered by kubectl exec", err)
        routes = {row["facts"].get("route") for row in report["checks"] if row["code"] == "EXEC-001"}
        self.assertEqual(routes, {"kubectl"})
        self.assertEqual(self.execs(name, "get"), 0, "a refused GET is in the audit log")
        self.assertEqual(self.execs(name, "create"), WORKERS)
        # What kubectl reads on its own account is the pod that it is to enter.
        self.assertLessEqual(set(self.asked(name)) - promised(), {("get", "pods", "")})

    def test_a_token_given_as_a_flag_reaches_kubectl_and_no_command_line(self):
        self.deploy("disagg-ib")
        rules = [dict(rule, verbs=["create"]) if "pods/exec" in rule["resources"] else rule
                 for rule in self.rules()]
        rules.append({"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]})
        name, _ = self.user(rules)
        token = [token for token, user in self.cluster.tokens.items() if user == name][0]
        nobody = self.cluster.client("nobody", {"token": "wrong"})
        code, report, err = self.plugin(nobody).check("--token", token)
        self.assertEqual((code, report["coverage"]["probed"]), (0, WORKERS), err)
        self.assertFalse(token in json.dumps(report) + err)
        self.assertEqual(self.execs(name, "create"), WORKERS)

    def test_without_any_verb_on_exec_nothing_is_tried(self):
        self.deploy("disagg-ib")
        rules = [rule for rule in self.rules() if "pods/exec" not in rule["resources"]]
        name, client = self.user(rules)
        code, out, err = self.plugin(client).run("check", "-n", NAMESPACE)
        self.assertEqual(code, 4)
        self.assertRegex(err, r"(?s)pods/exec.*get.*create")
        self.assertEqual(self.execs(name, "get") + self.execs(name, "create"), 0)

    def test_a_role_that_names_pods_lets_those_be_probed(self):
        self.deploy("disagg-ib")
        allowed = self.names("prefill")
        rules = [dict(rule, resourceNames=allowed) if "pods/exec" in rule["resources"] else rule
                 for rule in self.rules()]
        _, client = self.user(rules)
        code, report, err = self.plugin(client).check()
        self.assertEqual((code, report["coverage"]["probed"]), (3, len(allowed)), err)
        self.assertEqual({pod["reason"] for pod in report["coverage"]["notProbed"]},
                         {"no-permission"})

    def test_the_audit_log_holds_what_was_promised_and_nothing_else(self):
        self.deploy("disagg-ib")
        name, client = self.user(self.rules())
        code, report, _ = self.plugin(client).check()
        self.assertEqual(code, 0)
        asked = self.asked(name)
        self.assertLessEqual(set(asked), promised())
        self.assertEqual(asked.count(("list", "pods", "")), 1)
        self.assertEqual(asked.count(("get", "pods", "exec")), WORKERS)
        entered = sorted(entry["objectRef"]["name"] for entry in self.cluster.audit(name)
                         if entry["objectRef"].get("subresource") == "exec")
        self.assertEqual(entered, sorted(worker["pod"] for worker in report["workers"]))

    def test_the_probe_can_be_read_in_the_audit_log(self):
        self.deploy("disagg-ib")
        name, client = self.user(self.rules())
        self.plugin(client).check()
        plan = json.loads(self.plugin(client).run("plan", "-n", NAMESPACE, "-o", "json")[1])
        execs = [entry for entry in self.cluster.audit(name)
                 if entry["objectRef"].get("subresource") == "exec"]
        for entry in execs:
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(entry["requestURI"]).query)
            self.assertIn(plan["script"], query["command"])

    def test_stock_kubectl_agrees_on_what_is_allowed(self):
        name, client = self.user(self.rules())
        for verb, words in [("list", []), ("create", ["--subresource=exec"]),
                            ("get", ["--subresource=exec"])]:
            answer = client.run("auth", "can-i", verb, "pods", *words, "-n", NAMESPACE, check=False)
            self.assertEqual(answer.stdout.strip(), "yes", f"{verb} {words}")
        answer = subprocess.run([client.kubectl, "auth", "can-i", "delete", "pods", "-n", NAMESPACE],
                                env=client.environment(), capture_output=True, text=True)
        self.assertEqual(answer.stdout.strip(), "no")
