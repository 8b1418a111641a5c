"""A DNS server that follows a script, for discovery by RFC 7050.

    nameserver.py LOG MODE TTL ADDRESS...

Answers every query for AAAA over UDP and TCP on [::1]:53 with the addresses, and appends a line for each query to LOG:
the transport, whether the name had capital letters, and the flags.
"""

import ipaddress
import socket
import struct
import sys
import threading

log, mode, ttl, addresses = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]


def record(owner, kind, seconds, data):
    return owner + struct.pack(">HHIH", kind, 1, seconds, len(data)) + data


def reply(query, transport):
    identifier, question = query[:2], query[12:]
    flags, owner, records, authority, name = 0x8180, b"\xc0\x0c", [], [], question
    if mode == "truncated" and transport == "udp":
        return [identifier + struct.pack(">HHHHH", flags | 0x200, 1, 0, 0, 0) + question]
    if mode == "folded":
        name = question.lower()
    if mode == "servfail":
        flags |= 2
    if mode == "nxdomain":
        flags |= 3
    if mode == "loop":  # a name that points at itself
        owner = struct.pack(">H", 0xC000 | 12 + len(question))
    if mode == "elsewhere":
        owner = b"\x07example\x00"
    if mode == "soa":
        authority = [record(b"\xc0\x0c", 6, 900, b"\0\0" + struct.pack(">IIIII", 1, 1, 1, 1, ttl))]
    for address in addresses:
        if mode == "a-records":
            records.append(record(owner, 1, ttl, ipaddress.IPv4Address(address).packed))
        else:
            records.append(record(owner, 28, ttl, ipaddress.IPv6Address(address).packed))
    message = struct.pack(">HHHHH", flags, 1, len(records), len(authority), 0) + name + b"".join(records + authority)
    honest = identifier + message
    forged = ipaddress.IPv6Address("2001:db8:bad::192.0.0.170").packed
    lie = struct.pack(">HHHHH", 0x8180, 1, 1, 0, 0) + question + record(b"\xc0\x0c", 28, ttl, forged)
    if mode == "forged-id":
        return [bytes([identifier[0] ^ 0x80, identifier[1]]) + lie, honest]
    if mode == "forged-question":
        return [identifier + lie.replace(b"\x04", b"\x05", 1), honest]
    if mode == "forged-case":
        swapped = question.swapcase()
        return [identifier + lie.replace(question, swapped), honest]
    if mode == "garbage":
        return [identifier, b"", bytes(200), query, honest]
    if mode == "cut":
        return [honest[: len(honest) - 7]]
    if mode == "flood":
        return [b"\0" * 40] * 1000 + [honest]
    return [honest]


def note(transport, query):
    with open(log, "a") as file:
        capitals = "mixed" if query[12:27] != query[12:27].lower() else "lower"
        file.write(f"{transport} {capitals} {query[2:4].hex()}\n")


def serve_stream(listener):
    while True:
        connection, _ = listener.accept()
        size = struct.unpack(">H", connection.recv(2))[0]
        query = connection.recv(size)
        note("tcp", query)
        for message in reply(query, "tcp"):
            # In pieces, as a stream may come.
            framed = struct.pack(">H", len(message)) + message
            connection.sendall(framed[:1])
            connection.sendall(framed[1:20])
            connection.sendall(framed[20:])
        connection.close()


datagrams = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
datagrams.bind(("::1", 53))
listener = socket.create_server(("::1", 53), family=socket.AF_INET6)
threading.Thread(target=serve_stream, args=(listener,), daemon=True).start()
print("ready", flush=True)
while True:
    query, peer = datagrams.recvfrom(4096)
    note("udp", query)
    if mode == "silent":
        continue
    for message in reply(query, "udp"):
        datagrams.sendto(message, peer)
# SPDX-License-Identifier: Apache-2.0
