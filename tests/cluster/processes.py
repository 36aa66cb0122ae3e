"""Programs that run beside the tests: started, watched and ended by their pid."""
import os
import signal
import socket
import subprocess
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(what, condition, seconds=60.0, process=None):
    """Asks until it is so; an error that says what was waited for."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if process is not None and process.poll() is not None:
            raise RuntimeError(f"{what}: the program ended with {process.returncode}")
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what}: not within {seconds} s")
        time.sleep(0.1)


class Program:
    """A child with its output in a file."""

    def __init__(self, name, command, log, environment=None):
        self.name = name
        self.log = log
        with open(log, "ab") as output:
            self.process = subprocess.Popen([str(word) for word in command], stdout=output,
                                            stderr=output, stdin=subprocess.DEVNULL,
                                            env=environment, start_new_session=True)

    @property
    def pid(self):
        return self.process.pid

    def running(self):
        return self.process.poll() is None

    def stop(self, how=signal.SIGTERM, patience=10.0):
        if self.running():
            os.kill(self.pid, how)
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                os.kill(self.pid, signal.SIGKILL)
        self.process.wait()

    def last_words(self):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])
