"""HTTP and exec over WebSocket with the standard library alone: every byte is ours to choose."""
import base64
import dataclasses
import http.client
import json
import os
import socket
import ssl
import struct
from urllib.parse import quote, urlencode

STDIN, STDOUT, STDERR, STATUS, CLOSE = 0, 1, 2, 3, 255
V4, V5 = "v4.channel.k8s.io", "v5.channel.k8s.io"


class Access:
    """What a kubeconfig of kubesim says; read without a YAML library."""

    def __init__(self, cluster):
        pairs = dict(
            line.strip().lstrip("- ").split(": ", 1)
            for line in cluster.kubeconfig.read_text().splitlines()
            if ": " in line
        )
        self.port = cluster.port
        self.token = pairs["token"]
        self.tls = ssl.create_default_context(
            cadata=base64.b64decode(pairs["certificate-authority-data"]).decode()
        )

    def headers(self):
        return {"Authorization": f"Bearer {self.token}"}

    def connect(self):
        raw = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        return self.tls.wrap_socket(raw, server_hostname="127.0.0.1")

    def request(self, method, path, body=None, headers=None):
        """(status, headers, body) of one request on a connection of its own."""
        client = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.tls, timeout=30)
        client.request(method, path, body, {**self.headers(), **(headers or {})})
        reply = client.getresponse()
        answer = (reply.status, dict(reply.getheaders()), reply.read().decode())
        client.close()
        return answer

    def get(self, path):
        status, _, body = self.request("GET", path)
        return status, json.loads(body) if body.startswith("{") else body


@dataclasses.dataclass
class Conversation:
    """What came of one exec."""

    code: int = 0  # of the HTTP reply
    headers: dict = dataclasses.field(default_factory=dict)
    body: bytes = b""  # of a refusal
    messages: list = dataclasses.field(default_factory=list)  # (channel, bytes), in order
    closed: int = 0  # the Close frame's code; 0: none came

    def channel(self, number):
        return b"".join(data for channel, data in self.messages if channel == number)

    @property
    def status(self):
        return json.loads(self.channel(STATUS)) if self.channel(STATUS) else None


def frame(payload, opcode=2):
    """A masked, unfragmented client frame (RFC 6455, section 5.2)."""
    mask = os.urandom(4)
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
    elif size < 65536:
        head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


class Exec:
    """One exec as a client sees it."""

    def __init__(self, access, pod, argv, protocols=(V5, V4), namespace="dynamo-demo", **flags):
        flags = {"stdout": "true", "stderr": "true", "container": "main", **flags}
        query = urlencode([*flags.items(), *(("command", word) for word in argv)])
        self.socket = access.connect()
        self.reply = self.socket.makefile("rb")
        lines = [
            f"GET /api/v1/namespaces/{namespace}/pods/{quote(pod)}/exec?{query} HTTP/1.1",
            "Host: 127.0.0.1",
            f"Authorization: Bearer {access.token}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            f"Sec-WebSocket-Protocol: {', '.join(protocols)}",
        ]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self.conversation = Conversation()
        self.read_head()

    def read_head(self):
        talk = self.conversation
        talk.code = int(self.reply.readline().split()[1])
        while (line := self.reply.readline().strip().decode()):
            name, value = line.split(": ", 1)
            talk.headers[name.lower()] = value
        if talk.code != 101:
            talk.body = self.reply.read(int(talk.headers["content-length"]))

    def send(self, channel, data):
        self.socket.sendall(frame(bytes([channel]) + data))

    def read_frame(self):
        """(opcode, payload); None at the end of the connection."""
        head = self.reply.read(2)
        if len(head) < 2:
            return None
        size = head[1] & 0x7F
        if size > 125:
            size = struct.unpack("!H" if size == 126 else "!Q", self.reply.read(2 if size == 126 else 8))[0]
        return head[0] & 0x0F, self.reply.read(size)

    def finish(self):
        """Everything until the server closes."""
        while self.conversation.code == 101 and (got := self.read_frame()):
            opcode, payload = got
            if opcode == 8:
                self.conversation.closed = struct.unpack("!H", payload[:2])[0]
            else:
                self.conversation.messages.append((payload[0], payload[1:]))
        self.close()
        return self.conversation

    def close(self):
        self.reply.close()
        self.socket.close()
