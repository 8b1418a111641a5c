# SPDX-License-Identifier: Apache-2.0
"""What the hostile users of `scripts/endure hostile` run: floods, each for so many seconds, and nothing that outlives them.

    hostile_client.py WHAT SECONDS [SOCKET | SHARE]

As a client on the network: `connections`, `names`, `spoofing`, `echo`. Beside the network, with the path of a socket of the daemon:
`idle` (attach) and `requests` (control).

What they are compared with: `fair`, a client that takes this share of a processor for itself and fetches a page ten times a
second, and `busy`, which only takes the processor.
"""

import os
import resource
import socket
import struct
import sys
import time

ROUTER = ("2e00:2:0:1::1", 53)


def query(name, number):
    labels = b"".join(bytes([len(label)]) + label for label in name.split(b"."))
    return struct.pack(">6H", number & 0xFFFF, 0x100, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">2H", 28, 1)


def connections(deadline):
    """Holds all that it gets, asks for more, and takes what is closed anew."""
    most = min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    targets = [
        socket.getaddrinfo(host, port, socket.AF_INET6, socket.SOCK_STREAM)[0][4]
        for host, port in (("shop.test", 80), ("shop.test", 443), ("echo.test", 7))
    ]
    held = []
    number = 0
    while time.monotonic() < deadline:
        s = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
        s.setblocking(False)
        try:
            s.connect(targets[number % len(targets)])
        except OSError:
            pass
        number += 1
        held.append(s)
        if len(held) > most - 64:
            for s in held[:1024]:
                s.close()
            del held[:1024]
        if number % 64 == 0:
            time.sleep(0.005)
    return number


def names(deadline):
    """Asks for ever new names, over UDP as fast as it can and over TCP without reading."""
    s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    s.connect(ROUTER)
    s.setblocking(False)
    streams = []
    for _ in range(100):
        stream = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
        stream.setblocking(False)
        try:
            stream.connect(ROUTER)
        except OSError:
            pass
        streams.append(stream)
    number = 0
    while time.monotonic() < deadline:
        number += 1
        try:
            s.send(query(b"n%d.flood.test" % number, number))
        except OSError:
            pass
        if number % 100 == 0:
            text = query(b"t%d.flood.test" % number, number)
            try:
                streams[number // 100 % len(streams)].send(struct.pack(">H", len(text)) + text)
            except OSError:
                pass
    return number


def spoofing(deadline):
    """Asks in the name of every other place, and of nobody."""
    sockets = []
    for place in range(32):
        for host in (0x100, 0x200):
            s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            s.setsockopt(socket.IPPROTO_IPV6, 78, 1)  # IPV6_FREEBIND
            try:
                s.bind((f"2e00:2:0:1::{place:x}:{host:x}", 0))
                sockets.append(s)
            except OSError:
                s.close()
    number = 0
    while time.monotonic() < deadline:
        number += 1
        for s in sockets:
            try:
                s.sendto(query(b"spoofed%d.test" % number, number), ROUTER)
            except OSError:
                pass
        time.sleep(0.001)
    return number * len(sockets)


def echo(deadline):
    """Sends datagrams to the echo as fast as it can."""
    s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    s.connect(socket.getaddrinfo("echo.test", 7, socket.AF_INET6, socket.SOCK_DGRAM)[0][4])
    s.setblocking(False)
    number = 0
    while time.monotonic() < deadline:
        number += 1
        try:
            s.send(b"x" * 1000)
        except OSError:
            pass
    return number


def hold(deadline, kind, begin, limit):
    """Opens Unix sockets of this kind and holds the latest `limit` of those with which `begin` went well."""
    held = []
    number = 0
    while time.monotonic() < deadline:
        s = socket.socket(socket.AF_UNIX, kind)
        try:
            begin(s)
            number += 1
            held.append(s)
        except OSError:
            s.close()
        if len(held) > limit:
            held.pop(0).close()
        time.sleep(0.01)
    return number


def idle(deadline, path):
    """Holds connections to the attach socket, and says nothing."""

    def begin(s):
        s.setblocking(False)
        s.connect(path)

    return hold(deadline, socket.SOCK_SEQPACKET, begin, 120)


def requests(deadline, path):
    """Asks the control API for the longest answers, and holds connections to it."""

    def begin(s):
        s.settimeout(0.2)
        s.connect(path)
        s.send(b"GET /v1/dns-log?limit=1000 HTTP/1.1\r\nHost: a\r\n\r\n")

    return hold(deadline, socket.SOCK_STREAM, begin, 100)


def busy(deadline, share, act=lambda: None):
    """Takes a share of a processor, as much as it is given, and does something ten times a second."""
    begun = last = time.monotonic()
    number = 0
    while (now := time.monotonic()) < deadline:
        if now - last >= 0.1:
            last = now
            act()
            number += 1
        if time.process_time() < float(share) * (now - begun):
            for _ in range(10_000):
                pass
        else:
            time.sleep(0.001)
    return number


def fair(deadline, share):
    target = socket.getaddrinfo("shop.test", 80, socket.AF_INET6, socket.SOCK_STREAM)[0][4]

    def fetch():
        with socket.create_connection(target[:2], timeout=5) as s:
            s.sendall(b"GET /bytes/1000 HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n")
            while s.recv(65536):
                pass

    return busy(deadline, share, fetch)


def main():
    _, what, seconds, *rest = sys.argv
    # In any case the kernel ends it not long after.
    resource.setrlimit(resource.RLIMIT_CPU, (int(float(seconds)) + 30,) * 2)
    act = {"connections": connections, "names": names, "spoofing": spoofing, "echo": echo, "idle": idle,
           "requests": requests, "fair": fair, "busy": busy}[what]
    count = act(time.monotonic() + float(seconds), *rest)
    print(f"{what}: {count}", flush=True)
    os._exit(0)


main()
