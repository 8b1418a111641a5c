# SPDX-License-Identifier: Apache-2.0
"""`scripts/endure flows`: two clients with 50,000 UDP flows each through the NAT64 of a daemon, for so many seconds.

Each flow sends a datagram a round and gets it back. None may be lost of the table, another client is served meanwhile, and the daemon's
memory stays as it was once all flows were there.
"""

import json
import os
import resource
import selectors
import socket
import subprocess
import sys
import time

# A client of a daemon has 65,536 sessions at most.
CLIENTS = 2
SOCKETS = 1000
HOSTS = 50
# Rounds take a minute, so that no session is forgotten between two of them (RFC 4787 REQ-5: two minutes at least).
ROUND_LIMIT = 60
# One datagram in ten thousand may be lost without a trace: buffers of sockets are full now and then.
LOSS_LIMIT = 1e-4
# Datagrams of a client whose answers have not come; each queue on the way takes more.
OPEN_LIMIT = 200
GROWTH_LIMIT = 0.10

WORLD = "version: 1\nhosts:\n" + "".join(
    f"  echo{index}.test: {{ addresses: [198.51.100.{100 + index}], services: [udp-echo] }}\n" for index in range(1, HOSTS + 1)
) + "  shop.test: { addresses: [198.51.100.10], services: [http] }\n"


def client(seconds):
    """What runs on the network: prints how much it sent and got back, as JSON."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (SOCKETS + 64, SOCKETS + 64))
    targets = [socket.getaddrinfo(f"echo{index}.test", 7, socket.AF_INET6, socket.SOCK_DGRAM)[0][4]
               for index in range(1, HOSTS + 1)]
    selector = selectors.DefaultSelector()
    sockets = []
    for _ in range(SOCKETS):
        s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        s.setblocking(False)
        selector.register(s, selectors.EVENT_READ)
        sockets.append(s)
    sent = received = wrong = missing = 0
    length = min(ROUND_LIMIT, max(10, seconds / 3))
    start = begin = time.monotonic()
    rounds = 0

    def receive(timeout):
        nonlocal received, wrong
        for key, _ in selector.select(timeout):
            try:
                while True:
                    data = key.fileobj.recv(64)
                    received += 1
                    wrong += int(data) != key.fd
            except BlockingIOError:
                pass

    # By the clock: on a machine that is busy or stands still, rounds get longer than planned.
    while rounds < 2 or time.monotonic() - begin < seconds - length / 2:
        for index, target in enumerate(targets):
            for place, s in enumerate(sockets):
                s.sendto(str(s.fileno()).encode(), target)
                sent += 1
                if place % 20:
                    continue
                due = start + (rounds + (index + (place + 1) / SOCKETS) / HOSTS) * length
                while (left := due - time.monotonic()) > 0:
                    receive(left)
                # Behind its time it does not hurry: no queue on the way takes a thousand datagrams at once. Nor does it go on where
                # the other end stands still, as all do on a busy machine.
                patience = time.monotonic() + 5
                while sent - received - missing > OPEN_LIMIT:
                    receive(0.1)
                    if time.monotonic() > patience:
                        missing = sent - received
                start -= min(0, due - time.monotonic())
        rounds += 1
    deadline = time.monotonic() + 5
    while received < sent and time.monotonic() < deadline:
        receive(0.1)
    print(json.dumps({"sent": sent, "received": received, "wrong": wrong, "rounds": rounds}))


def flows(trial, seconds, resident):
    world = os.path.join(trial.folder, "world.yaml")
    with open(world, "w") as file:
        file.write(WORLD)
    with open(os.path.join(trial.folder, "log"), "w") as log:
        daemon = trial.start(log, "--world", world)
        before = resident(daemon)
        command = [sys.executable, os.path.abspath(__file__), str(seconds)]
        processes = [subprocess.Popen(
            [f"{trial.binaries}/ipv6check", "--simulator", f"unix:{trial.attach}", "--once", "--quiet", "--timeout",
             str(int(seconds) + 4 * ROUND_LIMIT), "--", *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
                     for _ in range(CLIENTS)]
        memory, last, others, most, start = None, None, 0, 0, time.monotonic()
        while all(process.poll() is None for process in processes):
            trial.expect_pass("beside the flows", path="/")
            others += 1
            listed = subprocess.run(
                [f"{trial.binaries}/nat64sim", "clients", "--json", "--socket", os.path.join(trial.folder, "control.sock")],
                capture_output=True, text=True)
            count = sum(client["sessions"] for client in json.loads(listed.stdout or '{"items": []}')["items"])
            most = max(most, count)
            if count >= CLIENTS * SOCKETS * HOSTS:
                last = resident(daemon)
                memory = memory or last
                if last - memory > GROWTH_LIMIT * memory:
                    raise trial.trouble(f"the daemon grew from {memory:.0f} MB to {last:.0f}")
            time.sleep(1)
        sent = lost = 0
        for process in processes:
            said = process.communicate()[0]
            if process.returncode != 0 or memory is None:
                raise trial.trouble(f"a run ended with {process.returncode}; there were {most} sessions: {said}")
            told = json.loads(said)
            sent, lost = sent + told["sent"], lost + told["sent"] - told["received"]
            if told["wrong"]:
                raise trial.trouble(f"{told['wrong']} datagrams went to another flow")
        if lost > LOSS_LIMIT * sent:
            raise trial.trouble(f"{lost} of {sent} datagrams were lost")
        trial.end(daemon, "after the flows")
    return (f"{most} sessions for {time.monotonic() - start:.0f} s: {sent} datagrams, {lost} lost, {others} other clients passed, "
            f"{(memory - before) * 1e6 / most:.0f} octets of memory a session, {last - memory:.1f} MB more at the end")


if __name__ == "__main__":
    client(float(sys.argv[1]))
