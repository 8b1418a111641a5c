"""`scripts/endure hostile`: two hostile users and an honest one on one daemon, for so many seconds.

First the honest one runs beside as many harmless clients as there will be hostile ones; then the same runs beside floods. What it is told
of its client has to be the same in every run, and the daemon's memory must not grow without end.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HONEST = [
    ["curl", "-fsS", "-m", "20", "-o", "/dev/null", "http://shop.test/bytes/20000"],
    ["curl", "-fsS", "-m", "20", "-o", "/dev/null", "http://198.51.100.10/"],
    ["getent", "ahosts", "nosuch.test"],
    ["sh", "-c", "echo hello | timeout 10 nc -N echo.test 7 | grep -q hello"],
]
# Of the two hostile users, each has two clients on the network at a time; the second also floods the sockets.
FLOODS = [["connections", "spoofing"], ["names", "echo"]]
KINDS = ["connections", "spoofing", "names", "echo", "idle", "requests"]
HARMLESS = ["sh", "-c", "while :; do curl -fsS -m 5 -o /dev/null http://shop.test/bytes/1000; sleep 0.1; done"]
USERS = (10001, 10002)


def as_user(number, command):
    if os.geteuid() != 0:
        return command
    return ["setpriv", f"--reuid={number}", f"--regid={number}", "--clear-groups", "--", *command]


def resident(daemon):
    """Of the daemon's process that serves, its only child."""
    with open(f"/proc/{daemon.pid}/task/{daemon.pid}/children") as file:
        (child,) = file.read().split()
    with open(f"/proc/{child}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


class Trial:
    def __init__(self, binaries, essence, trouble):
        self.binaries, self.essence, self.trouble = binaries, essence, trouble
        self.folder = tempfile.mkdtemp(prefix="endure-")
        os.chmod(self.folder, 0o755)
        self.processes = []
        self.started = time.monotonic()
        self.memory = []

    def start_daemon(self):
        sockets = os.path.join(self.folder, "sockets")
        os.mkdir(sockets)
        os.chmod(sockets, 0o755)
        configuration = os.path.join(self.folder, "nat64sim.yaml")
        with open(configuration, "w") as file:
            file.write("version: 1\nclients: { most: 16, everyone: true }\n")
        self.log = open(os.path.join(self.folder, "log"), "w+")
        self.daemon = subprocess.Popen(
            [f"{self.binaries}/nat64sim", "serve", "--sockets", sockets, "--config", configuration],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.attach = os.path.join(sockets, "attach.sock")
        self.control = os.path.join(sockets, "control.sock")
        deadline = time.monotonic() + 30
        while not os.path.exists(self.attach):
            if time.monotonic() > deadline or self.daemon.poll() is not None:
                self.log.seek(0)
                raise self.trouble(f"the daemon does not start: {self.log.read()}")
            time.sleep(0.02)

    def note_memory(self):
        """One figure a minute, and one at the end."""
        minute = int((time.monotonic() - self.started) / 60)
        if len(self.memory) <= minute:
            self.memory.append(resident(self.daemon))
            print(f"minute {minute}: the daemon has {self.memory[-1]:.0f} MB", file=sys.stderr)

    def checked(self, command, user, *options):
        return as_user(user, [f"{self.binaries}/ipv6check", "-q", "--simulator", f"unix:{self.attach}", *options, *command])

    def beside(self, commands):
        """Starts what runs beside the honest user."""
        for user, command in commands:
            self.processes.append(subprocess.Popen(
                as_user(user, command) if command[0] == sys.executable else self.checked(command, user, "--once"),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True))

    def end_others(self):
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes = []

    def honest(self, seconds, limit):
        """The honest user's runs: what they said, and how long each took."""
        told, times = {}, {}
        deadline = time.monotonic() + seconds
        number = 0
        while number < len(HONEST) or time.monotonic() < deadline and number < limit:
            which = number % len(HONEST)
            path = os.path.join(self.folder, "report.json")
            begun = time.monotonic()
            process = subprocess.run(
                [f"{self.binaries}/ipv6check", "-q", "--simulator", f"unix:{self.attach}", "--json", path, *HONEST[which]],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180)
            times.setdefault(which, []).append(time.monotonic() - begun)
            text = f"exit {process.returncode}: {process.stderr}"
            if os.path.exists(path):
                text = f"exit {process.returncode}: {self.essence(path)}"
                os.unlink(path)
            told.setdefault(which, {}).setdefault(text, 0)
            told[which][text] += 1
            number += 1
            self.note_memory()
        return told, times, number

    def close(self):
        self.end_others()
        daemon = getattr(self, "daemon", None)
        if daemon is not None:
            daemon.terminate()
            try:
                daemon.wait(15)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
            self.log.close()
        shutil.rmtree(self.folder)


def hostile(binaries, seconds, kinds, essence, trouble):
    kinds = kinds or KINDS
    if os.geteuid() == 0 and subprocess.run(
            as_user(USERS[0], [f"{binaries}/ipv6check", "--version"]), capture_output=True).returncode != 0:
        raise trouble(f"other users cannot execute {binaries}/ipv6check")
    script = os.path.join(tempfile.mkdtemp(prefix="endure-"), "hostile_client.py")
    shutil.copy(os.path.join(os.path.dirname(__file__), "hostile_client.py"), script)
    os.chmod(os.path.dirname(script), 0o755)
    os.chmod(script, 0o755)
    trial = Trial(binaries, essence, trouble)
    try:
        trial.start_daemon()
        count = max(8, seconds)
        trial.beside([(user, HARMLESS) for user in USERS for _ in range(2)])
        fair, fair_times, fair_count = trial.honest(seconds / 2, count)
        trial.end_others()
        floods = []
        for user, own in zip(USERS, FLOODS):
            floods += [(user, ["python3", script, kind, str(seconds)]) for kind in own if kind in kinds]
        for kind, socket in (("idle", trial.attach), ("requests", trial.control)):
            if kind in kinds:
                floods.append((USERS[1], [sys.executable, script, kind, str(seconds), socket]))
        trial.beside(floods)
        time.sleep(2)
        told, times, number = trial.honest(seconds, count)
        if trial.daemon.poll() is not None:
            raise trouble("the daemon has ended")
        trial.memory.append(resident(trial.daemon))
    finally:
        trial.close()
        shutil.rmtree(os.path.dirname(script))
    differences = []
    for which, command in enumerate(HONEST):
        before, after = statistics.median(fair_times[which]), statistics.median(times[which])
        print(f"{' '.join(command)}: {before:.2f} s beside fair load, {after:.2f} s beside floods, {max(times[which]):.2f} s at most")
        all_told = set(fair[which]) | set(told[which])
        if len(all_told) != 1:
            differences += [f"{fair[which].get(text, 0)} and {told[which].get(text, 0)} × {text}" for text in all_told]
    print("memory of the daemon, MB: " + ", ".join(f"{value:.0f}" for value in trial.memory))
    if differences:
        print("\n".join(differences), file=sys.stderr)
        raise trouble("the honest user was not always told the same")
    print(f"{fair_count} runs beside fair load and {number} beside floods, all with the same verdicts and findings")
