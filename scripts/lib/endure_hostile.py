# SPDX-License-Identifier: Apache-2.0
"""`scripts/endure hostile`: two hostile users and an honest one on one daemon, for so many seconds.

First the honest one runs beside floods; then the same runs beside as much fair load: as many clients of the same users, which ask
for little and take as much of the processors as the floods' processes did, and as the daemon did for them. That is what any neighbour can
do to him. What the honest one is told of his client has to be the same in every run; with floods his runs may take half as long again; the
daemon may not spend more on floods than a processor, with as many as there are here; and its memory has to stay as it was after the
first half minute.
"""

import collections
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HONEST = [
    ["curl", "-fsS", "-m", "20", "-o", "/dev/null", "http://shop.test/bytes/20000"],
    ["curl", "-fsS", "-m", "20", "-o", "/dev/null", "http://198.51.100.10/"],
    ["getent", "ahosts", "nosuch.test"],
    ["sh", "-c", "echo hello | timeout 10 nc -N echo.test 7 | grep -q hello"],
]
# Each of the two hostile users has two clients on the network at a time; the second also floods the sockets.
CLIENTS = {"connections": 10001, "spoofing": 10001, "names": 10002, "echo": 10002}
SOCKETS = {"idle": 10002, "requests": 10002}
# The honest one's runs beside floods may take so many times as long as those beside fair load.
SLOWDOWN_LIMIT = 1.5
# The daemon's part of the processors for the floods: a share for each of four clients, and the servers' work for them.
DAEMON_LIMIT = 1.0
# The daemon's memory has this long to reach what it needs, and grows by this part at most afterwards. A shorter trial says nothing.
SETTLING = 30
GROWTH_LIMIT = 0.10
TICKS = os.sysconf("SC_CLK_TCK")


def as_user(number, command):
    if os.geteuid() != 0:
        return command
    return ["setpriv", f"--reuid={number}", f"--regid={number}", "--clear-groups", "--", *command]


def serving(daemon):
    """The daemon's process that serves, its only child."""
    with open(f"/proc/{daemon.pid}/task/{daemon.pid}/children") as file:
        (child,) = file.read().split()
    return child


def resident(daemon):
    with open(f"/proc/{serving(daemon)}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


def processor_time(number):
    """Seconds that a process has had."""
    with open(f"/proc/{number}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def processor_times(script):
    """The same of all that run `script`, by what they do."""
    found = {}
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
            if len(words) > 2 and words[1] == script:
                found[number, words[2]] = processor_time(number)
        except OSError:
            continue
    return found


def runnable():
    """Threads of the whole machine that want a processor."""
    with open("/proc/loadavg") as file:
        return int(file.read().split()[3].partition("/")[0]) - 1


class Phase:
    """The honest user's runs beside others: what they said, how long each took, and what share of a processor the others had."""

    def __init__(self):
        self.told = collections.defaultdict(collections.Counter)
        self.times = collections.defaultdict(list)
        self.shares = {}
        self.daemon = 0
        self.runnable = []

    @property
    def count(self):
        return sum(map(len, self.times.values()))

    def fair_shares(self):
        """What others take who load the machine as much: the daemon's work for the floods is spread over them."""
        total = sum(self.shares.values())
        return {kind: share * (total + self.daemon) / total for kind, share in self.shares.items()}

    def median(self, which):
        return statistics.median(self.times[which])


class Trial:
    """Every process that is started has a session of its own, as services and users have: the kernel shares the processors among
    sessions (sched_autogroup), and what the daemon does for the floods is not to count as the honest user's."""

    def __init__(self, binaries, essence, trouble):
        self.binaries, self.essence, self.trouble = binaries, essence, trouble
        self.folder = tempfile.mkdtemp(prefix="endure-")
        os.chmod(self.folder, 0o755)
        self.script = os.path.join(self.folder, "hostile_client.py")
        shutil.copy(os.path.join(os.path.dirname(__file__), "hostile_client.py"), self.script)
        os.chmod(self.script, 0o644)
        self.processes = []
        # Seconds since the floods began, and megabytes.
        self.memory = []
        self.ending = threading.Event()

    def start_daemon(self):
        sockets = os.path.join(self.folder, "sockets")
        os.mkdir(sockets)
        os.chmod(sockets, 0o755)
        configuration = os.path.join(self.folder, "nat64sim.yaml")
        with open(configuration, "w") as file:
            # Tables that are full within seconds: what grows then is none of them.
            file.write("version: 1\nclients: { most: 16, everyone: true }\ncontrol: { everyone: true }\n"
                       "dns64: { limits: { cache: 4096, log: 4096 } }\n"
                       "nat64: { limits: { sessions: 4096, bindings: 4096 } }\n")
        self.log = open(os.path.join(self.folder, "log"), "w+")
        self.daemon = subprocess.Popen(
            [f"{self.binaries}/nat64sim", "serve", "--sockets", sockets, "--config", configuration],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)
        self.attach = os.path.join(sockets, "attach.sock")
        self.control = os.path.join(sockets, "control.sock")
        deadline = time.monotonic() + 30
        # The sockets are there before the process that serves is.
        while " ready " not in self.said():
            if time.monotonic() > deadline or self.daemon.poll() is not None:
                raise self.trouble(f"the daemon does not start: {self.said()}")
            time.sleep(0.02)

    def said(self):
        with open(self.log.name) as log:
            return log.read()

    def watch_memory(self):
        """One figure a second, and a line a minute."""
        begun = time.monotonic()
        while not self.ending.wait(1):
            try:
                self.memory.append((time.monotonic() - begun, resident(self.daemon)))
            except (OSError, StopIteration):
                return
            if len(self.memory) % 60 == 0:
                print(f"minute {len(self.memory) // 60}: the daemon has {self.memory[-1][1]:.0f} MB", file=sys.stderr)

    def beside(self, what, seconds, shares=None):
        """Starts what runs beside the honest user: the floods, or what takes the processors' time that they took."""
        for kind, user in [*CLIENTS.items(), *SOCKETS.items()]:
            if kind not in what:
                continue
            if shares is not None:
                name = "fair" if kind in CLIENTS else "busy"
                act = ["python3", self.script, name, str(seconds), f"{shares.get(kind, 0):.3f}"]
            else:
                socket = {"idle": [self.attach], "requests": [self.control]}.get(kind, [])
                act = ["python3", self.script, kind, str(seconds), *socket]
            if kind in CLIENTS:
                act = [f"{self.binaries}/ipv6check", "-q", "--once", "--simulator", f"unix:{self.attach}", *act]
            self.processes.append(subprocess.Popen(
                as_user(user, act), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True))
        # Until they are all at it.
        time.sleep(3)
        if any(process.poll() is not None for process in self.processes):
            raise self.trouble("what is to run beside the honest user does not run")

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

    def honest(self, seconds):
        """The honest user's runs, one after the other."""
        phase = Phase()
        others, own, begun = processor_times(self.script), processor_time(serving(self.daemon)), time.monotonic()
        path = os.path.join(self.folder, "report.json")
        while phase.count < len(HONEST) or time.monotonic() - begun < seconds:
            which = phase.count % len(HONEST)
            started = time.monotonic()
            process = subprocess.run(
                [f"{self.binaries}/ipv6check", "-q", "--simulator", f"unix:{self.attach}", "--json", path, *HONEST[which]],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, start_new_session=True)
            phase.times[which].append(time.monotonic() - started)
            if os.path.exists(path):
                text = f"exit {process.returncode}: {self.essence(path)}"
                os.unlink(path)
            else:
                text = f"exit {process.returncode}: {process.stderr}"
            phase.told[which][text] += 1
            phase.runnable.append(runnable())
        passed = time.monotonic() - begun
        for (number, kind), time_then in processor_times(self.script).items():
            share = (time_then - others.get((number, kind), 0)) / passed
            phase.shares[kind] = phase.shares.get(kind, 0) + share
        phase.daemon = (processor_time(serving(self.daemon)) - own) / passed
        if self.daemon.poll() is not None:
            raise self.trouble("the daemon has ended")
        return phase

    def close(self):
        self.ending.set()
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


def tell(floods, fair, memory, processors):
    """Prints the table.
    - Returns: what must not be."""
    objections = []
    width = max(len(" ".join(command)) for command in HONEST)
    print(f"{'seconds, median':{width}}  fair load   floods    ratio  longest")
    for which, command in enumerate(HONEST):
        before, after = fair.median(which), floods.median(which)
        print(f"{' '.join(command):{width}}  {before:9.2f} {after:8.2f} {after / before:8.2f} {max(floods.times[which]):8.2f}")
    before, after = (sum(map(phase.median, range(len(HONEST)))) for phase in (fair, floods))
    print(f"{'all four':{width}}  {before:9.2f} {after:8.2f} {after / before:8.2f}")
    if after > before * SLOWDOWN_LIMIT:
        objections.append(f"beside floods the honest user's runs take {after / before:.2f} times as long, not {SLOWDOWN_LIMIT}")
    print(f"{f'processors of {processors} for the others':{width}}  "
          f"{sum(fair.shares.values()):9.2f} {sum(floods.shares.values()):8.2f}")
    print(f"{'processors for the daemon':{width}}  {fair.daemon:9.2f} {floods.daemon:8.2f}")
    print(f"{'threads of the machine that want one':{width}}  "
          f"{statistics.mean(fair.runnable):9.1f} {statistics.mean(floods.runnable):8.1f}   both phases need the machine to themselves")
    print("  fair load: as many clients of the same users, which take as much of the processors as the floods' processes, "
          "and the daemon for them, and fetch a page ten times a second")
    if floods.daemon > DAEMON_LIMIT:
        objections.append(f"the daemon takes {floods.daemon:.2f} processors for the floods, not {DAEMON_LIMIT}")
    early = [value for when, value in memory if when <= SETTLING]
    late = [value for when, value in memory if when > SETTLING]
    if early and late:
        growth = max(late) / max(early) - 1
        print(f"memory of the daemon: {early[0]:.0f} MB at first, {max(early):.0f} MB in the first {SETTLING} s of floods, "
              f"{max(late):.0f} MB at most afterwards ({growth:+.0%})")
        if growth > GROWTH_LIMIT:
            objections.append(f"the daemon's memory grows by {growth:.0%}")
    for which in range(len(HONEST)):
        if len(told := floods.told[which] + fair.told[which]) != 1:
            objections.append("the honest user was not always told the same")
            objections += [f"{floods.told[which][text]} and {fair.told[which][text]} × {text}" for text in told]
    if not objections:
        print(f"{floods.count} runs beside floods and {fair.count} beside fair load, all with the same verdicts and findings")
    return objections


def hostile(binaries, seconds, kinds, essence, trouble):
    kinds = kinds or [*CLIENTS, *SOCKETS]
    if unknown := set(kinds) - {*CLIENTS, *SOCKETS}:
        raise trouble(f"unknown floods: {' '.join(unknown)}; there are {' '.join([*CLIENTS, *SOCKETS])}")
    if os.geteuid() == 0 and subprocess.run(
            as_user(10001, [f"{binaries}/ipv6check", "--version"]), capture_output=True).returncode != 0:
        raise trouble(f"other users cannot execute {binaries}/ipv6check")
    trial = Trial(binaries, essence, trouble)
    # Longer than the honest user's last run may take.
    spare = 60
    try:
        trial.start_daemon()
        watch = threading.Thread(target=trial.watch_memory, daemon=True)
        watch.start()
        trial.beside(kinds, seconds + spare)
        floods = trial.honest(seconds)
        trial.end_others()
        trial.ending.set()
        watch.join()
        rest = max(10, seconds / 3)
        trial.beside(kinds, rest + spare, floods.fair_shares())
        fair = trial.honest(rest)
    finally:
        trial.close()
    objections = tell(floods, fair, trial.memory, os.cpu_count())
    if objections:
        raise trouble("\n".join(objections))
