# SPDX-License-Identifier: Apache-2.0
"""`scripts/endure ports`: connections to a port of the machine (--host-port), octets in turns with the machine's own loopback, killed runs.

Beside the trial itself this file is the server, and the client of each run, which prints what it saw as JSON.
"""

import json
import os
import random
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time

BLOCK = 1 << 20
TURNS = 3
# Connections in a turn, if there are enough connections that it is no short trial.
LONG, FULL, SHORT = 10_000, 1 << 30, 1 << 27
# The ratio to the machine's own loopback. A short trial runs beside others, and prints the ratio without a limit.
LEAST_RATIO = 0.3
KILLS = 10


def serve(server):
    """Counts what comes until the client has half-closed, or sends as much as is asked for."""
    def answer(connection):
        with connection:
            word = connection.recv(16)
            if word.startswith(b"take "):
                for _ in range(int(word[5:]) // BLOCK):
                    connection.sendall(bytes(BLOCK))
            else:
                count, room = len(word), memoryview(bytearray(BLOCK))
                while length := connection.recv_into(room):
                    count += length
                connection.sendall(b"%d" % count)

    while True:
        threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()


def client(port, connections, size):
    def connect():
        return socket.create_connection((random.choice(["127.0.0.1", "::1"]) if os.environ.get("BRIDGED") else "127.0.0.1", port), 60)

    for number in range(connections):
        with connect() as connection:
            connection.sendall(b"x" * (number % 16 + 1))
            connection.shutdown(socket.SHUT_WR)
            answer = connection.recv(64)
            if int(answer) != number % 16 + 1:
                sys.exit(f"connection {number} was answered {answer}")
    rates = []
    for way in ("give", "take"):
        start = time.monotonic()
        with connect() as connection:
            if way == "give":
                for _ in range(size // BLOCK):
                    connection.sendall(bytes(BLOCK))
                connection.shutdown(socket.SHUT_WR)
                count = int(connection.recv(64))
            else:
                connection.sendall(b"take %d" % size)
                count, room = 0, memoryview(bytearray(BLOCK))
                while length := connection.recv_into(room):
                    count += length
            if count != size:
                sys.exit(f"{way}: {count} of {size} octets came")
        rates.append(size / (time.monotonic() - start))
    print(json.dumps(rates))


def ports(binaries, count, trouble, marked, wait):
    server = socket.create_server(("127.0.0.1", 0), backlog=512)
    threading.Thread(target=serve, args=(server,), daemon=True).start()
    port = server.getsockname()[1]
    size = FULL if count >= LONG else SHORT
    me = [sys.executable, os.path.abspath(__file__), str(port)]
    bridged = [f"{binaries}/ipv6check", "--once", "--quiet", "--host-port", str(port), "--"]

    def rates(command, **environment):
        end = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env={**os.environ, **environment})
        if end.returncode != 0:
            raise trouble(f"{' '.join(command[:6])} ended with {end.returncode}: {end.stderr[-2000:]}")
        return json.loads(end.stdout)

    start = time.monotonic()
    ratios = []
    for turn in range(TURNS):
        own = rates([*me, "0", str(size)])
        through = rates([*bridged, *me, str(-(-count // TURNS)), str(size)], BRIDGED="1")
        ratios.append([through[way] / own[way] for way in (0, 1)])
    there, back = (statistics.median(ratio[way] for ratio in ratios) for way in (0, 1))
    if count >= LONG and min(there, back) < LEAST_RATIO:
        raise trouble(f"{there:.2f} there and {back:.2f} back of the machine's own loopback; at least {LEAST_RATIO} is expected")
    dice = random.Random(1)
    for _ in range(KILLS):
        mark = f"ENDURE={secrets.token_hex(8)}"
        name, value = mark.split("=")
        run = subprocess.Popen([*bridged, *me, "100000", "0"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env={**os.environ, name: value, "BRIDGED": "1"})
        time.sleep(dice.random())
        run.send_signal(signal.SIGKILL)
        run.wait()
        if not wait(lambda: not marked(mark.encode())):
            raise trouble(f"left behind by a run that was killed: {marked(mark.encode())}")
    print(f"ports: {-(-count // TURNS) * TURNS} connections, {TURNS} × {size >> 20} MiB each way at {there:.2f} there and {back:.2f} back of the machine's own "
          f"loopback, {KILLS} killed runs that left nothing, in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    client(*map(int, sys.argv[1:]))
