#!/usr/bin/env python3
"""What kubesim puts on the wire: protocols, framing, faults, the requests log, and its end.

usage: wire_test.py KUBESIM
"""
import concurrent.futures
import json
import os
import pathlib
import signal
import sys
import time
import unittest

import cluster
from wire import CLOSE, STATUS, STDERR, STDIN, STDOUT, V4, V5, Access, Exec

KUBESIM = None
PODS = "/api/v1/namespaces/dynamo-demo/pods"


def run(access, *argv, pod="decode-0", **options):
    return Exec(access, pod, argv, **options).finish()


def until(condition, seconds=20):
    """Waits for something that is bound to come; False when it did not."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def processes_with(text):
    """Live processes whose command line holds the text; a zombie has none."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if text.encode() in entry.read_bytes():
                found.append(entry.parent.name)
        except OSError:
            pass
    return found


class Shared(unittest.TestCase):
    """Tests that one healthy cluster is enough for."""

    @classmethod
    def setUpClass(cls):
        cls.cluster = cluster.Cluster(KUBESIM)
        cls.access = Access(cls.cluster)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()

    def test_v5_is_taken_wherever_it_stands_in_the_list(self):
        for protocols in ((V5,), (V5, V4), (V4, V5)):
            talk = run(self.access, "true", protocols=protocols)
            self.assertEqual((talk.code, talk.headers["sec-websocket-protocol"]), (101, V5))
        self.assertEqual(talk.headers["sec-websocket-accept"], "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")

    def test_v4_is_taken_when_v5_is_not_offered(self):
        talk = run(self.access, "sh", "-c", "echo hi; exit 3", protocols=("v2.channel.k8s.io", V4))
        self.assertEqual(talk.headers["sec-websocket-protocol"], V4)
        self.assertEqual(talk.channel(STDOUT), b"hi\n")
        self.assertIn("[sh -c echo hi; exit 3], exit code 3", talk.status["message"])

    def test_unknown_protocols_get_an_empty_403(self):
        talk = run(self.access, "true", protocols=("v9.channel.k8s.io",))
        self.assertEqual((talk.code, talk.body), (403, b""))

    def test_a_stream_opens_with_an_empty_message_and_ends_with_status_and_close(self):
        talk = run(self.access, "sh", "-c", "echo out; echo err >&2")
        self.assertEqual(talk.messages[0], (STDOUT, b""))
        self.assertEqual(talk.messages[-1][0], STATUS)
        self.assertEqual((talk.channel(STDOUT), talk.channel(STDERR)), (b"out\n", b"err\n"))
        self.assertEqual((talk.status["status"], talk.closed), ("Success", 1000))
        quiet = run(self.access, "sh", "-c", "echo out; echo err >&2", stdout="false")
        self.assertEqual((quiet.messages[0], quiet.channel(STDOUT)), ((STDERR, b""), b""))

    def test_an_exit_code_is_a_cause_of_the_status(self):
        talk = run(self.access, "sh", "-c", "exit 42")
        self.assertEqual(talk.status["reason"], "NonZeroExitCode")
        self.assertEqual(
            talk.status["details"]["causes"], [{"reason": "ExitCode", "message": "42"}]
        )
        killed = run(self.access, "sh", "-c", "kill -9 $$")
        self.assertEqual(killed.status["details"]["causes"][0]["message"], "137")

    def test_frames_have_at_most_32_KiB(self):
        talk = run(self.access, "head", "-c", "300000", "/dev/zero")
        self.assertEqual(talk.channel(STDOUT), bytes(300000))
        self.assertLessEqual(max(len(data) for _, data in talk.messages), 32767)

    def test_stdin_ends_with_a_close_message(self):
        talk = Exec(self.access, "decode-0", ["cat"], stdin="true")
        talk.send(STDIN, b"some ")
        talk.send(STDIN, b"input")
        talk.send(CLOSE, bytes([STDIN]))
        done = talk.finish()
        self.assertEqual((done.channel(STDOUT), done.status["status"]), (b"some input", "Success"))

    def test_stdin_that_nobody_reads_does_no_harm(self):
        # The command waits for the client: one that ends while we send would be another test.
        script = "exec <&-; until [ -e /tmp/sent ]; do sleep 0.05; done; echo bye"
        talk = Exec(self.access, "decode-0", ["sh", "-c", script], stdin="true")
        for _ in range(20):
            talk.send(STDIN, bytes(30000))
        run(self.access, "touch", "/tmp/sent")
        self.assertEqual(talk.finish().channel(STDOUT), b"bye\n")

    def test_refusals_before_the_upgrade(self):
        for pod, options, code, text in (
            ("nobody", {}, 404, 'pods \\"nobody\\" not found'),
            ("decode-0", {"container": "nope"}, 400, "container nope is not valid for pod decode-0"),
            ("pending-0", {}, 400, "does not have a host assigned"),
        ):
            talk = run(self.access, "true", pod=pod, **options)
            self.assertEqual(talk.code, code)
            self.assertIn(text, talk.body.decode())

    def test_the_kubelet_refuses_in_the_way_of_the_protocol(self):
        v5 = run(self.access, "true", pod="crash-0")
        self.assertEqual((v5.code, v5.status["code"]), (101, 500))
        self.assertIn('container not found ("main")', v5.status["message"])
        v4 = run(self.access, "true", pod="crash-0", protocols=(V4,))
        self.assertEqual((v4.code, v4.body), (500, b'container not found ("main")'))

    def test_missing_programs(self):
        bare = run(self.access, "sh", "-c", "true", pod="bare-0")
        self.assertEqual(bare.status["reason"], "InternalError")
        self.assertIn('exec: "sh": executable file not found in $PATH', bare.status["message"])
        path = run(self.access, "/no/such")
        self.assertIn("stat /no/such: no such file or directory", path.status["message"])
        folder = run(self.access, "/usr")
        self.assertIn('exec: "/usr": permission denied', folder.status["message"])

    def test_a_command_is_killed_when_its_client_goes_away(self):
        talk = Exec(self.access, "decode-0", ["sh", "-c", "sleep 98765 & sleep 98765"])
        self.assertTrue(until(lambda: len(processes_with("98765")) >= 2))
        talk.close()
        self.assertTrue(until(lambda: not processes_with("98765")), "the command outlived its client")

    def test_many_execs_at_once(self):
        script = "i=0; while [ $i -lt 200 ]; do echo $i; i=$((i+1)); done"
        expected = "".join(f"{i}\n" for i in range(200)).encode()
        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            talks = list(pool.map(lambda _: run(self.access, "sh", "-c", script), range(128)))
        self.assertTrue(all(talk.channel(STDOUT) == expected for talk in talks))
        self.assertTrue(all(talk.status["status"] == "Success" for talk in talks))

    def test_a_connection_serves_many_requests(self):
        with self.access.connect() as connection:
            reply = connection.makefile("rb")
            for _ in range(3):
                connection.sendall(
                    f"GET /version HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.access.token}"
                    "\r\n\r\n".encode()
                )
                self.assertTrue(reply.readline().startswith(b"HTTP/1.1 200"))
                size = 0
                while (line := reply.readline().strip()):
                    if line.lower().startswith(b"content-length"):
                        size = int(line.split()[1])
                self.assertEqual(json.loads(reply.read(size))["major"], "1")

    def test_tokens_are_checked(self):
        for header in ({"Authorization": "Bearer wrong"}, {"Authorization": ""}):
            status, _, body = self.access.request("GET", "/version", headers=header)
            self.assertEqual((status, json.loads(body)["reason"]), (401, "Unauthorized"))

    def test_unknown_paths_and_methods(self):
        self.assertEqual(self.access.get("/apis/apps/v1/deployments"), (404, "404 page not found\n"))
        self.assertEqual(self.access.get("/nothing")[0], 404)
        self.assertEqual(self.access.request("DELETE", PODS + "/decode-0")[0], 405)
        self.assertEqual(self.access.request("POST", PODS + "/decode-0/exec?container=main")[0], 400)
        self.assertEqual(self.access.get(PODS + "/decode-0/proxy/metrics")[0], 503)

    def test_continue_tokens_are_checked(self):
        self.assertEqual(self.access.get(PODS + "?limit=1&continue=bm9uZQ==")[0], 400)
        self.assertEqual(self.access.get(PODS + "?limit=x")[0], 400)

    def test_requests_are_logged(self):
        run(self.access, "true")
        self.access.get(PODS + "?limit=5")
        self.access.get("/version")
        # A line is written after the answer: the client may be faster.
        self.assertTrue(until(lambda: any(r["path"] == "/version" for r in self.cluster.requests())))
        requests = self.cluster.requests()
        self.assertTrue(all(r["startMs"] <= r["endMs"] for r in requests))
        exec_request = next(r for r in requests if r["subresource"] == "exec" and r["status"] == 101)
        self.assertEqual((exec_request["verb"], exec_request["resource"]), ("get", "pods"))
        listing = next(r for r in requests if r["query"] == "limit=5")
        self.assertEqual((listing["verb"], listing["path"], listing["status"]), ("list", PODS, 200))


class Faults(unittest.TestCase):
    """Each fault on a cluster of its own."""

    def start(self, *faults, flags=()):
        running = cluster.Cluster(KUBESIM, *flags, *(f"--fault={fault}" for fault in faults))
        self.addCleanup(running.__exit__)
        return Access(running)

    def test_unauthorized(self):
        self.assertEqual(self.start("unauthorized").get("/version")[0], 401)

    def test_forbidden_resources_are_worded_as_the_api_server_words_them(self):
        access = self.start("forbidden:pods", "forbidden:nodes", "forbidden:dynamographdeployments")
        for path, message in (
            (
                PODS,
                'pods is forbidden: User "kubesim" cannot list resource "pods" in API group "" '
                'in the namespace "dynamo-demo"',
            ),
            (
                "/api/v1/nodes",
                'nodes is forbidden: User "kubesim" cannot list resource "nodes" in API group "" '
                "at the cluster scope",
            ),
            (
                "/apis/nvidia.com/v1beta1/namespaces/x/dynamographdeployments/g",
                'dynamographdeployments.nvidia.com "g" is forbidden: User "kubesim" cannot get '
                'resource "dynamographdeployments" in API group "nvidia.com" in the namespace "x"',
            ),
        ):
            status, body = access.get(path)
            self.assertEqual((status, body["message"]), (403, message))

    def test_forbidden_exec_shows_in_reviews_too(self):
        access = self.start("forbidden:pods/exec")
        talk = run(access, "true")
        self.assertEqual(talk.code, 403)
        self.assertIn('cannot get resource \\"pods/exec\\"', talk.body.decode())
        review = {"spec": {"resourceAttributes": {"verb": "get", "resource": "pods", "subresource": "exec"}}}
        _, _, body = access.request(
            "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", json.dumps(review)
        )
        self.assertFalse(json.loads(body)["status"]["allowed"])

    def test_create_alone_can_be_denied(self):
        talk = run(self.start("forbidden:create:pods/exec"), "true")
        self.assertEqual(talk.code, 403)
        self.assertNotIn("cannot", talk.body.decode())

    def test_a_role_does_not_reach_the_cluster_scope(self):
        access = self.start("namespaced-only")
        self.assertEqual(access.get(PODS)[0], 200)
        self.assertEqual(access.get("/api/v1/pods")[0], 403)
        self.assertEqual(access.get("/api/v1/nodes")[0], 403)

    def test_no_crd(self):
        access = self.start("no-crd")
        self.assertEqual(access.get("/apis/nvidia.com/v1beta1/dynamographdeployments")[0], 404)
        self.assertNotIn("nvidia.com", json.dumps(access.get("/apis")[1]))

    def test_a_continue_token_expires_once(self):
        access = self.start("expired-continue")
        token = access.get(PODS + "?limit=1")[1]["metadata"]["continue"]
        status, body = access.get(PODS + "?limit=1&continue=" + token)
        self.assertEqual((status, body["reason"]), (410, "Expired"))
        self.assertEqual(access.get(PODS + "?limit=1&continue=" + body["metadata"]["continue"])[0], 200)

    def test_counted_errors_stop_by_themselves(self):
        access = self.start("server-error:1", "too-many-requests:1")
        self.assertEqual(access.get("/version")[0], 500)
        status, headers, _ = access.request("GET", "/version")
        self.assertEqual((status, headers["Retry-After"]), (429, "1"))
        self.assertEqual(access.get("/version")[0], 200)

    def test_truncated_execs_have_no_status(self):
        access = self.start("exec-truncate:decode-0")
        cut = run(access, "sh", "-c", "echo 0123456789")
        self.assertEqual((cut.status, cut.closed), (None, 0))
        self.assertTrue(0 < len(cut.channel(STDOUT)) < 11)
        whole = run(access, "sh", "-c", "echo 0123456789", pod="prefill-0")
        self.assertEqual(whole.channel(STDOUT), b"0123456789\n")

    def test_hanging_execs_say_nothing(self):
        access = self.start("exec-hang")
        talk = Exec(access, "decode-0", ["true"])
        self.assertEqual(talk.read_frame(), (2, bytes([STDOUT])))
        talk.socket.settimeout(0.2)
        with self.assertRaises(TimeoutError):
            talk.read_frame()
        talk.close()

    def test_upgrades_can_be_refused(self):
        self.assertEqual(run(self.start("exec-refuse-upgrade:502"), "true").code, 502)

    def test_slow_execs_still_answer(self):
        talk = run(self.start("slow-exec:50ms", flags=("--latency", "5ms")), "echo", "late")
        self.assertEqual(talk.channel(STDOUT), b"late\n")

    def test_servers_from_before_v5(self):
        access = self.start("no-v5")
        self.assertEqual(run(access, "true", protocols=(V5,)).code, 403)
        self.assertEqual(
            run(access, "true", protocols=(V5, V4)).headers["sec-websocket-protocol"], V4
        )


class Replay(unittest.TestCase):
    def setUp(self):
        self.cluster = cluster.Cluster(KUBESIM, "--exec", "replay")
        self.addCleanup(self.cluster.__exit__)
        self.access = Access(self.cluster)

    def test_equal_commands_run_once_and_the_nonce_is_substituted(self):
        script = "cat /dev/urandom | head -c 8 | od -An -tx1; echo $0; exit 5"
        first = run(self.access, "sh", "-c", script, "nonce-1111")
        second = run(self.access, "sh", "-c", script, "nonce-22")
        self.assertIn(b"nonce-1111\n", first.channel(STDOUT))
        self.assertEqual(
            first.channel(STDOUT).replace(b"nonce-1111", b"nonce-22"), second.channel(STDOUT)
        )
        self.assertEqual(second.status["details"]["causes"][0]["message"], "5")

    def test_what_differs_runs_again(self):
        script = "cat /dev/urandom | head -c 8 | od -An -tx1"
        texts = {
            run(self.access, "sh", "-c", script).channel(STDOUT),
            run(self.access, "sh", "-c", script + ";").channel(STDOUT),  # another script
            run(self.access, "sh", "-c", script, pod="prefill-0").channel(STDOUT),  # the same
            run(self.access, "sh", "-c", script, pod="own-0").channel(STDOUT),  # another tree
        }
        self.assertEqual(len(texts), 3)

    def test_many_at_once_share_one_run(self):
        script = "cat /dev/urandom | head -c 8 | od -An -tx1; sleep 0.2"
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            talks = list(pool.map(lambda _: run(self.access, "sh", "-c", script), range(64)))
        self.assertEqual(len({talk.channel(STDOUT) for talk in talks}), 1)

    def test_failures_to_start_are_answered_too(self):
        for _ in range(2):
            talk = run(self.access, "nope")
            self.assertIn("executable file not found", talk.status["message"])


class End(unittest.TestCase):
    def test_a_signal_ends_everything(self):
        for ending in (signal.SIGTERM, signal.SIGINT):
            with cluster.Cluster(KUBESIM) as running:
                access = Access(running)
                idle = access.connect()
                talk = Exec(access, "decode-0", ["sh", "-c", "sleep 87654 & sleep 87654"])
                self.assertTrue(until(lambda: len(processes_with("87654")) >= 2))
                running.process.send_signal(ending)
                self.assertEqual(running.process.wait(timeout=30), 0)
                self.assertEqual(running.leftovers(), [])
                self.assertTrue(until(lambda: not processes_with("87654")))
                self.assertIsNone(talk.finish().status)
                idle.close()

    def test_the_kubeconfig_is_private(self):
        with cluster.Cluster(KUBESIM) as running:
            self.assertEqual(os.stat(running.kubeconfig).st_mode & 0o777, 0o600)

    def test_wrong_flags_are_explained(self):
        for flags, text in (
            (("--fault", "nonsense"), "no such kind"),
            (("--fault", "slow-exec:never"), "must be slow-exec:D"),
            (("--listen", "0.0.0.0:0"), "must be a loopback address"),
            (("--exec", "sometimes"), "must be run|replay"),
            (("--pods", "8"), "--pods needs a named scenario"),
        ):
            with self.assertRaisesRegex(RuntimeError, text.replace("|", r"\|")):
                cluster.Cluster(KUBESIM, *flags)


def main():
    with cluster.Cluster(KUBESIM) as running:
        if not running.can_exec:
            print("skipped:", running.errors())
            return cluster.SKIPPED
    return 0 if unittest.main(argv=[sys.argv[0], *sys.argv[2:]], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    KUBESIM = sys.argv[1]
    sys.exit(main())
