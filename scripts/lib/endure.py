# SPDX-License-Identifier: Apache-2.0
"""The trials of scripts/endure."""

import contextlib
import json
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import endure_clients
import endure_daemon
import endure_database
import endure_hostile
import endure_ports

# Seconds in which a runner must have ended once it was told to, and all that was its own must be gone.
TIMEOUT = 8


class Trouble(Exception):
    """Something that must not be."""


def marked(mark):
    """The processes that have `mark` in their environment, by number: their names. Ours are ipv6check, guard and keeper."""
    found = {}
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/environ", "rb") as file:
                if mark not in file.read().split(b"\0"):
                    continue
            with open(f"/proc/{number}/comm") as file:
                found[int(number)] = file.read().strip()
        except OSError:
            continue
    return found


def waits(number):
    """What each thread of a process waits for, as far as the kernel tells; nothing of what goes meanwhile."""
    found = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{number}/task"):
            folder = f"/proc/{number}/task/{task}"
            with open(f"{folder}/comm") as name, open(f"{folder}/stat") as state, open(f"{folder}/wchan") as place:
                found.append(f"{name.read().strip()} {state.read().rpartition(')')[2].split()[0]} {place.read()}")
    return found


def end_marked(mark):
    """Ends the processes that have `mark`, and tells what each was at."""
    found = {number: (name, waits(number)) for number, name in marked(mark).items()}
    for number in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    return found


def machine():
    """What a run could leave behind: namespaces, links, mounts."""
    listing = subprocess.run(["lsns", "-n", "-r", "-o", "NS,TYPE"], capture_output=True, text=True).stdout
    with open("/proc/self/mounts") as file:
        mounts = len(file.readlines())
    return {
        "namespaces": {line for line in listing.splitlines() if line.split()[-1] in ("net", "user", "mnt", "pid")},
        "links": set(os.listdir("/sys/class/net")),
        "mounts": mounts,
        "temporary files": {name for name in os.listdir("/tmp") if "ipv6check" in name or "nat64sim" in name},
    }


def wait(condition, seconds=TIMEOUT):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def expect_unchanged(before):
    # The kernel takes namespaces down in the background.
    if not wait(lambda: machine() == before):
        now = machine()
        raise Trouble(f"left behind: { {key: (before[key], now[key]) for key in before if before[key] != now[key]} }")


class Daemon:
    """A nat64sim serve of our own."""

    def __init__(self, binaries, folder):
        self.folder = folder
        self.log = open(os.path.join(folder, "log"), "w+")
        self.process = subprocess.Popen(
            [f"{binaries}/nat64sim", "serve", "--sockets", folder], stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log)
        self.socket = os.path.join(folder, "attach.sock")
        # The sockets are there before the process that serves has its namespaces.
        if not wait(self.is_ready, 30):
            raise Trouble("the daemon does not start")

    def is_ready(self):
        with open(self.log.name) as log:
            return " ready " in log.read()

    def end(self):
        self.process.terminate()
        self.process.wait(TIMEOUT)
        self.log.close()


CLIENTS = [
    ["sleep", "20"],
    ["true"],
    ["false"],
    ["curl", "-sS", "-o", "/dev/null", "http://shop.test/"],
    ["curl", "-sS", "-o", "/dev/null", "http://nosuch.test/"],
    ["sh", "-c", "setsid sleep 30 & sleep 20"],
    ["sh", "-c", "while :; do curl -sS -o /dev/null http://shop.test/; done"],
]


def kill_one(binaries, dice, scratch, daemon):
    mark = f"IPV6CHECK_ENDURE={secrets.token_hex(8)}"
    options = []
    report = os.path.join(scratch, "report.json")
    if dice.random() < 0.5:
        options += ["--json", report]
    if dice.random() < 0.3:
        options += ["--pcap", os.path.join(scratch, "packets.pcap")]
    if daemon is not None:
        options += ["--simulator", f"unix:{daemon.socket}"]
    environment = dict(os.environ)
    name, value = mark.split("=")
    environment[name] = value
    with open(os.path.join(scratch, "said"), "w+") as said:
        runner = subprocess.Popen(
            [f"{binaries}/ipv6check", *options, *dice.choice(CLIENTS)], env=environment, stdin=subprocess.DEVNULL,
            stdout=said, stderr=said)
        time.sleep(dice.random() * 0.15)
        processes = marked(mark.encode())
        number = dice.choice(list(processes) or [runner.pid])
        what = processes.get(number, "ipv6check")
        how = dice.choices(
            [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGSTOP], [60, 15, 10, 5, 10])[0]
        if how == signal.SIGSTOP and what == "ipv6check":
            # Not the runner's child between fork and exec: it could not be ended once its parent has gone.
            number = runner.pid
        try:
            os.kill(number, how)
        except ProcessLookupError:
            pass
        try:
            runner.wait(0.3)
        except subprocess.TimeoutExpired:
            # The signal did not hit the runner, or only stopped it.
            if number == runner.pid and how == signal.SIGSTOP:
                runner.send_signal(signal.SIGCONT)
            runner.send_signal(signal.SIGTERM)
        try:
            status = runner.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            left = end_marked(mark.encode())
            runner.wait(TIMEOUT)
            said.seek(0)
            raise Trouble(f"{runner.args} hangs after {how.name} to {number} ({what}): {left}; it said: {said.read()}")
        said.seek(0)
        text = said.read()
    if status not in (0, 1, 2, 3, 5, 124) and -status not in (how, signal.SIGTERM):
        raise Trouble(f"the runner ended with {status} after {how.name} to {number} ({what}): {text}")
    if not wait(lambda: not marked(mark.encode())):
        left = end_marked(mark.encode())
        raise Trouble(f"left behind after {how.name} to {number} ({what}): {left}")
    files = set(os.listdir(scratch)) - {"said"}
    if not files <= {"report.json", "packets.pcap", "packets.again.pcap", "packets.dual-stack.pcap"}:
        raise Trouble(f"files left behind after {how.name} to {number} ({what}): {files}")
    if os.path.exists(report):
        with open(report) as file:
            json.load(file)
    for name in files:
        os.unlink(os.path.join(scratch, name))
    return how.name, what


def kills(binaries, count):
    seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
    print(f"{count} kills, SEED={seed}", file=sys.stderr)
    dice = random.Random(seed)
    before = machine()
    folder = tempfile.mkdtemp(prefix="endure-")
    hits = {}
    try:
        scratch = os.path.join(folder, "scratch")
        sockets = os.path.join(folder, "sockets")
        os.mkdir(scratch)
        os.mkdir(sockets)
        daemon = Daemon(binaries, sockets)
        try:
            with_daemon = machine()
            for index in range(count):
                how, what = kill_one(binaries, dice, scratch, daemon if dice.random() < 0.3 else None)
                hits[f"{how} to {what}"] = hits.get(f"{how} to {what}", 0) + 1
                if index % 100 == 99:
                    expect_unchanged(with_daemon)
                    print(f"{index + 1} …", file=sys.stderr)
            expect_unchanged(with_daemon)
            if daemon.process.poll() is not None:
                raise Trouble("the daemon has ended")
        finally:
            daemon.end()
    finally:
        shutil.rmtree(folder)
    expect_unchanged(before)
    print(f"{count} kills, nothing hung and nothing is left: {hits}")


def essence(path):
    """What must be the same in every report: all but times and what is chosen by chance."""
    with open(path) as file:
        report = json.load(file)
    runs = []
    for run in report["runs"]:
        for lookup in run["lookups"]:
            lookup.pop("process", None)
        for query in run["dns"]:
            # Its source port is chosen by chance.
            for key in ("askedFrom", "time"):
                query.pop(key, None)
        runs.append([
            run["role"], run["network"], run.get("exitStatus"), sorted(json.dumps(row) for row in run["dns"]),
            sorted(json.dumps([row["name"] if "name" in row else None, row["address"], row["port"]]) for row in run["flows"]),
            sorted(json.dumps(row, sort_keys=True) for row in run["lookups"]), run["lostObservations"],
        ])
    return json.dumps([report["verdict"], report["findings"], runs], sort_keys=True)


def runs(binaries, count):
    folder = tempfile.mkdtemp(prefix="endure-")
    loops = []
    seen = {}

    def take(path):
        text = essence(path)
        seen[text] = seen.get(text, 0) + 1
        os.unlink(path)

    def start(path):
        return subprocess.Popen(
            [f"{binaries}/ipv6check", "--json", path, "getent", "ahosts", "nosuch.test"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    try:
        for index in range(count):
            if index == count // 2:
                loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(os.cpu_count() or 1)]
            path = f"{folder}/{index}.json"
            start(path).wait(60)
            take(path)
        for batch in range(max(1, count // 50)):
            paths = [f"{folder}/{batch}-{index}.json" for index in range(20)]
            for process in [start(path) for path in paths]:
                process.wait(120)
            for path in paths:
                take(path)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
        shutil.rmtree(folder)
    total = sum(seen.values())
    if len(seen) != 1:
        for text, times in sorted(seen.items(), key=lambda item: -item[1]):
            print(f"{times} × {text}\n", file=sys.stderr)
        raise Trouble(f"{len(seen)} different outcomes of {total} runs of the same client")
    print(f"{total} runs, all with the same findings")


def main():
    _, binaries, trial, *rest = sys.argv
    count = int(rest[0]) if rest else {"kills": 2000, "runs": 1000, "clients": 200, "database": 50, "hostile": 60, "daemon": 60, "flows": 3600,
                                        "ports": endure_ports.LONG}[trial]
    binaries = os.path.abspath(binaries)
    try:
        if trial == "hostile":
            endure_hostile.hostile(binaries, count, rest[1:], essence, Trouble)
        elif trial == "clients":
            endure_clients.clients(binaries, count, Trouble)
        elif trial in ("daemon", "flows", "ports"):
            before = machine()
            if trial == "ports":
                endure_ports.ports(binaries, count, Trouble, marked, wait)
            else:
                {"daemon": endure_daemon.daemon, "flows": endure_daemon.flows}[trial](binaries, count, Trouble)
            expect_unchanged(before)
        elif trial == "database":
            endure_database.database(binaries, count, Trouble)
        else:
            {"kills": kills, "runs": runs}[trial](binaries, count)
    except Trouble as trouble:
        sys.exit(f"endure: {trouble}")


main()
