# SPDX-License-Identifier: Apache-2.0
"""`scripts/endure daemon`: what happens to a daemon while clients are attached, each kind for a third of the time.

Its configuration is read again many times a second, every other time one that is wrong; it is killed and started anew; its log, and its
queries' log, are on a full disk. What the clients are told has to be the same all the time, and nothing may be left.
"""

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import endure_flows

CLIENT = ["curl", "-fsS", "-m", "10", "-o", "/dev/null"]
# The configurations to reload, in turns. A prefix that changes ends sessions: a run may fail then, so it stays the same.
SETTINGS = [
    "version: 1\n",
    "version: 1\ndns64: { limits: { cache: 16, log: 16 }, extended-error: true }\n",
    "version: 1\nnat64: { limits: { sessions: 64 } }\ndns64: { faults: [nosuch.test AAAA drop] }\n",
]
WRONG = ["version: 1\nprefix: 64:ff9b::/97\n", "version: [", "", "\0" * 4096, None]
TIMEOUT = 8


class Trial:
    def __init__(self, binaries, trouble):
        self.binaries, self.trouble = binaries, trouble
        self.folder = tempfile.mkdtemp(prefix="endure-")
        self.configuration = os.path.join(self.folder, "nat64sim.yaml")
        self.attach = os.path.join(self.folder, "attach.sock")
        self.write(SETTINGS[0])

    def write(self, text):
        """`None` takes the file away. It is replaced as editors do, so that no half of it is read."""
        if text is None:
            os.unlink(self.configuration)
            return
        with open(self.configuration + ".new", "w") as file:
            file.write(text)
        os.rename(self.configuration + ".new", self.configuration)

    def start(self, log, *options):
        daemon = subprocess.Popen(
            [f"{self.binaries}/nat64sim", "serve", "--sockets", self.folder, "--config", self.configuration, *options],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        # A failed trial leaves nothing either; one that ended it has had its status.
        atexit.register(daemon.terminate)
        deadline = time.monotonic() + 30
        while self.run(["true"]).returncode != 0:
            if time.monotonic() > deadline or daemon.poll() is not None:
                raise self.trouble(f"the daemon does not start: {daemon.poll()}")
            time.sleep(0.05)
        return daemon

    def client(self, command):
        return subprocess.Popen(
            [f"{self.binaries}/ipv6check", "--simulator", f"unix:{self.attach}", "--once", "--", *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, command):
        process = self.client(command)
        try:
            process.said = process.communicate(timeout=30)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            raise self.trouble(f"a run hangs: {process.communicate()[0]}")
        return process

    def expect_pass(self, when, path="/bytes/20000"):
        process = self.run(CLIENT + [f"http://shop.test{path}"])
        if process.returncode != 0:
            raise self.trouble(f"{when}: the client's run ended with {process.returncode}: {process.said}")

    def end(self, daemon, when):
        daemon.terminate()
        try:
            status = daemon.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            raise self.trouble(f"{when}: the daemon does not end")
        if status != 0:
            raise self.trouble(f"{when}: the daemon ended with {status}")


def resident(daemon):
    with open(f"/proc/{daemon.pid}/task/{daemon.pid}/children") as file:
        (child,) = file.read().split()
    with open(f"/proc/{child}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


def reloads(trial, seconds):
    """Reads the configuration again while clients run; says how often, and how many passed."""
    with open(os.path.join(trial.folder, "log"), "w") as log:
        daemon = trial.start(log)
        ending = threading.Event()
        counts = {"reloads": 0}

        def reload():
            while not ending.wait(0.02):
                count = counts["reloads"]
                trial.write(WRONG[count // 2 % len(WRONG)] if count % 2 else SETTINGS[count // 2 % len(SETTINGS)])
                daemon.send_signal(signal.SIGHUP)
                counts["reloads"] += 1

        thread = threading.Thread(target=reload)
        thread.start()
        passed, start, memory = 0, time.monotonic(), None
        try:
            while time.monotonic() - start < seconds:
                trial.expect_pass("while the configuration is read again")
                passed += 1
                if memory is None and time.monotonic() - start > seconds / 2:
                    memory = resident(daemon)
        finally:
            ending.set()
            thread.join()
        grown = resident(daemon) - memory
        if grown > 0.25 * memory:
            raise trial.trouble(f"the daemon grew from {memory:.0f} MB by {grown:.0f} in {counts['reloads'] // 2} reloads")
        trial.write(SETTINGS[0])
        trial.end(daemon, "after reloads")
    return f"{counts['reloads']} reloads, {passed} clients passed meanwhile"


def restarts(trial, seconds):
    """Kills the daemon beside its clients, which must end soon and say why, and starts it anew on the sockets that were left."""
    count, start = 0, time.monotonic()
    while time.monotonic() - start < seconds:
        daemon = trial.start(subprocess.DEVNULL)
        runs = [trial.client(["sh", "-c", "while :; do curl -sS -o /dev/null http://shop.test/; done"]) for _ in range(3)]
        # Some are attached by then, others are on their way.
        time.sleep(0.2 * (count % 4))
        daemon.kill()
        daemon.wait()
        for process in runs:
            try:
                said = process.communicate(timeout=TIMEOUT)[0]
            except subprocess.TimeoutExpired:
                process.kill()
                raise trial.trouble(f"a run outlives its daemon: {process.communicate()[0]}")
            if process.returncode != 5 or "ipv6check: " not in said:
                raise trial.trouble(f"a run whose daemon was killed ended with {process.returncode}: {said}")
        count += 1
    daemon = trial.start(subprocess.DEVNULL)
    trial.expect_pass("after the last restart")
    trial.end(daemon, "after restarts")
    return f"{count} restarts beside clients"


def full_disk(trial, seconds):
    """Serves while nothing can be written to its logs."""
    passed, start = 0, time.monotonic()
    with open("/dev/full", "w") as full:
        daemon = trial.start(full, "--dns-log", "/dev/full")
        while time.monotonic() - start < seconds:
            trial.expect_pass("with full disks")
            passed += 1
        trial.end(daemon, "with full disks")
    return f"{passed} clients passed while the logs were full"


def daemon(binaries, seconds, trouble):
    with_trial(binaries, trouble, *(lambda trial, part=part: part(trial, seconds / 3) for part in (reloads, restarts, full_disk)))


def flows(binaries, seconds, trouble):
    with_trial(binaries, trouble, lambda trial: endure_flows.flows(trial, seconds, resident))


def with_trial(binaries, trouble, *parts):
    trial = Trial(binaries, trouble)
    try:
        for part in parts:
            print(part(trial))
    finally:
        shutil.rmtree(trial.folder)
