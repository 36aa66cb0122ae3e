"""Debian's proxies on loopback, asking for a password, behind a relay that keeps what clients send them."""
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import threading
import time

USER, PASSWORD = "proxy-user", "proxy-s3cret"
TEST_NAME = "kubesim.test"  # resolves to loopback at squid, and nowhere else


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def find(program):
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")


class Relay:
    """A TCP relay in front of a port: `sent` holds the bytes of each client, in order of connection."""

    def __init__(self, port):
        self.target, self.sent = port, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return  # closed
            record = bytearray()
            self.sent.append(record)
            threading.Thread(target=self._carry, args=(client, record), daemon=True).start()

    def _carry(self, client, record):
        with client, socket.create_connection(("127.0.0.1", self.target), timeout=60) as server:
            back = threading.Thread(target=self._copy, args=(server, client, None), daemon=True)
            back.start()
            self._copy(client, server, record)
            back.join()

    @staticmethod
    def _copy(source, target, kept):
        try:
            while piece := source.recv(65536):
                if kept is not None:
                    kept += piece
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # either side has hung up

    def heads(self):
        """The request heads in clear: one a connection, and more where the proxy refused the first."""
        return [bytes(record).split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n") for record in self.sent]


class Proxy:
    """One process in the foreground; ready when its port answers."""

    def __init__(self, folder):
        self.folder, self.port = pathlib.Path(folder), free_port()
        self.log = self.folder / f"{self.program}.log"
        self.process = subprocess.Popen(self.prepare(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        self.stop()
        raise SystemExit(f"{self.program} did not start: {self.log.read_text() if self.log.exists() else 'no log'}")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path


class Tinyproxy(Proxy):
    program = "tinyproxy"
    refusal = 401  # tinyproxy's answer to a wrong password; none at all gets 407

    def prepare(self):
        settings = self.write("tinyproxy.conf", "\n".join([
            f"Port {self.port}", "Listen 127.0.0.1", "Timeout 60", f'LogFile "{self.log}"', "LogLevel Connect",
            "MaxClients 50", "Allow 127.0.0.1", f"BasicAuth {USER} {PASSWORD}"]) + "\n")
        return [find("tinyproxy"), "-d", "-c", settings]

    def tunnels(self):
        """The targets of the CONNECTs that it has logged as established."""
        return [line.split('"')[1] for line in self.log.read_text().splitlines()
                if "Established connection to host" in line]


class Squid(Proxy):
    program = "squid"
    refusal = 407

    def prepare(self):
        digest = subprocess.run(["openssl", "passwd", "-apr1", PASSWORD], check=True, capture_output=True, text=True)
        passwords = self.write("passwords", f"{USER}:{digest.stdout}")
        hosts = self.write("hosts", f"127.0.0.1 {TEST_NAME}\n")
        settings = self.write("squid.conf", "\n".join([
            f"http_port 127.0.0.1:{self.port}", f"hosts_file {hosts}", "pid_filename none", "cache deny all",
            f"access_log stdio:{self.log}", f"cache_log {self.folder}/cache.log", "pinger_enable off",
            "shutdown_lifetime 0 seconds", f"coredump_dir {self.folder}", "netdb_filename none",
            "visible_hostname squid.test",
            f"auth_param basic program /usr/lib/squid/basic_ncsa_auth {passwords}",
            "auth_param basic children 2", "auth_param basic realm test",
            "acl known proxy_auth REQUIRED", "http_access allow known", "http_access deny all"]) + "\n")
        if os.geteuid() == 0:  # squid then becomes the user of its package
            owner = pwd.getpwnam("proxy")
            for path in (self.folder, *self.folder.iterdir()):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        return [find("squid"), "-N", "-f", settings]

    def tunnels(self):
        """The targets of the CONNECTs that it has carried."""
        rows = [line.split() for line in self.log.read_text().splitlines()]
        return [row[6] for row in rows if row[5] == "CONNECT" and row[3].endswith("/200")]
