# SPDX-License-Identifier: Apache-2.0
"""fixtures/nat64/special-purpose.txt over any translator that works on a TUN: scripts/compare-tayga.

The packets are built and read here, byte by byte, with nothing of the translators' own code. They are handed to the interface
through a packet socket, past the kernel's routing, which would carry none of these addresses.
"""

import ipaddress
import os
import select
import socket
import struct
import subprocess
import sys
import tempfile
import time

INTERFACE = "nat64"
HOST6 = ipaddress.ip_address("2001:470:8::8")
HOST4 = ipaddress.ip_address("8.8.4.8")
REMOTE = ipaddress.ip_address("9.9.9.9")
OWN6 = ipaddress.ip_address("2001:470:ffff::1")
OWN4 = ipaddress.ip_address("8.8.0.1")
PREFIXES = ["2001:db8::/32", "2001:db8:100::/40", "2001:db8:122::/48", "2001:db8:122:300::/56", "2001:db8:122:344::/64",
            "2001:db8:122:344::/96", "64:ff9b::/96"]
WELL_KNOWN = PREFIXES[-1]


def checksum(octets):
    if len(octets) % 2:
        octets += b"\0"
    total = sum(struct.unpack(f"!{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def embed(prefix, address):
    """RFC 6052 §2.2: octet 8 stays zero."""
    network = ipaddress.ip_network(prefix)
    octets = bytearray(network.network_address.packed)
    place = network.prefixlen // 8
    for octet in address.packed:
        if place == 8:
            place += 1
        octets[place] = octet
        place += 1
    return ipaddress.ip_address(bytes(octets))


def packet(source, destination, protocol, payload):
    """An IP packet, its transport's checksum filled in."""
    place = {17: 6, 1: 2, 58: 2}[protocol]
    payload = bytearray(payload)
    payload[place:place + 2] = b"\0\0"
    pseudo = b"" if protocol == 1 else (
        source.packed + destination.packed + struct.pack("!IHBB", len(payload), 0, 0, protocol))
    payload[place:place + 2] = struct.pack("!H", checksum(bytes(pseudo + payload)) or 0xFFFF)
    if source.version == 6:
        header = struct.pack("!IHBB", 6 << 28, len(payload), protocol, 64) + source.packed + destination.packed
    else:
        header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(payload), 7, 0x4000, 64, protocol, 0)
        header += source.packed + destination.packed
        header = header[:10] + struct.pack("!H", checksum(header)) + header[12:]
    return header + bytes(payload)


def udp(source, destination):
    return struct.pack("!HHHH", source, destination, 13, 0) + b"hello"


def question(direction, place, address, prefix):
    if direction == "4to6":
        def quote(source, destination):
            return packet(source, destination, 17, udp(4000, 53))

        def error(source, inner):
            return packet(source, HOST4, 1, bytes([11, 0, 0, 0, 0, 0, 0, 0]) + inner)
        return {
            "source": lambda: packet(address, HOST4, 17, udp(53, 4000)),
            "destination": lambda: packet(REMOTE, address, 17, udp(53, 4000)),
            "error-source": lambda: error(address, quote(HOST4, REMOTE)),
            "quoted-source": lambda: error(REMOTE, quote(address, REMOTE)),
            "quoted-destination": lambda: error(REMOTE, quote(HOST4, address)),
        }[place]()
    address = address if address.version == 6 else embed(prefix, address)
    remote = embed(prefix, REMOTE)

    def error6(source, inner_source, inner_destination):
        inner = packet(inner_source, inner_destination, 17, udp(53, 4000))
        return packet(source, remote, 58, bytes([3, 0, 0, 0, 0, 0, 0, 0]) + inner)
    return {
        "source": lambda: packet(address, remote, 17, udp(4000, 53)),
        "destination": lambda: packet(HOST6, address, 17, udp(4000, 53)),
        "error-source": lambda: error6(address, remote, HOST6),
        "quoted-source": lambda: error6(HOST6, address, HOST6),
        "quoted-destination": lambda: error6(HOST6, remote, address),
    }[place]()


def verdict(direction, place, address, prefix, answers):
    version = 6 if direction == "4to6" else 4
    translated = [a for a in answers if a[0] >> 4 == version]
    if not translated:
        return "refuse" if answers else "drop"
    out = translated[0]
    source, destination, quote, length = (8, 24, 48, 16) if version == 6 else (12, 16, 28, 4)
    offset = {"source": source, "error-source": source, "destination": destination, "quoted-source": quote + source,
              "quoted-destination": quote + destination}[place]
    seen = out[offset:offset + length]
    if address.version == 4 and seen == (embed(prefix, address) if version == 6 else address).packed:
        return "pass"
    if seen in (OWN6.packed, OWN4.packed):
        return "own"
    return "from " + str(ipaddress.ip_address(seen))


def read_lines(path):
    lines = []
    for line in open(path, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            prefix, direction, place, elsewhere, well_known, section, what = [f.strip() for f in line.split("|")]
            lines.append((ipaddress.ip_network(prefix), direction, place, elsewhere, well_known, section))
    networks = {line[0] for line in lines}
    for network, *rest in lines:
        addresses = {network.network_address, network.broadcast_address} if network.version == 4 else {
            network.network_address}
        yield network, [a for a in sorted(addresses) if all(
            n.prefixlen <= network.prefixlen for n in networks if n.version == a.version and a in n)], *rest


class Translator:
    def __init__(self, name, prefix, binary, folder):
        self.name = name
        path = os.path.join(folder, "configuration")
        if name == "tayga":
            text = f"tun-device {INTERFACE}\nipv4-addr {OWN4}\nipv6-addr {OWN6}\nprefix {prefix}\n" \
                f"map {HOST4} {HOST6}\ndata-dir {folder}\n"
            command = [binary, "--nodetach", "-c", path]
        else:
            text = f"version: 1\nnat64:\n  mode: stateless\n  prefixes: {prefix}\n  exempt-ipv4: []\n" \
                f"  errors: {{ ipv4-source: {OWN4}, ipv6-source: \"{OWN6}\" }}\n" \
                f"  explicit-address-mappings: [{{ ipv4: {HOST4}, ipv6: \"{HOST6}\" }}]\n"
            command = [binary, "translate", "--config", path, "--tun", INTERFACE]
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
        self.socket.bind((INTERFACE, 3))
        self.socket.setblocking(False)

    def ask(self, octets, seconds):
        """What comes out of the interface."""
        while select.select([self.socket], [], [], 0)[0]:
            self.socket.recvfrom(65536)
        self.socket.sendto(octets, (INTERFACE, 0x86DD if octets[0] >> 4 == 6 else 0x0800))
        answers, until = [], time.monotonic() + seconds
        while (rest := until - time.monotonic()) > 0 and not answers:
            if select.select([self.socket], [], [], rest)[0]:
                answer, address = self.socket.recvfrom(65536)
                # Not what goes in, and nothing of the kernel's own.
                if address[2] != socket.PACKET_OUTGOING and not (answer[0] >> 4 == 6 and answer[6] == 0):
                    answers.append(answer)
        return answers

    def wait_until_it_runs(self):
        ping = packet(REMOTE, HOST4, 17, udp(53, 4000))
        for _ in range(100):
            if self.ask(ping, 0.1):
                return
        sys.exit(f"{self.name} does not translate")

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.socket.close()


def compare(name, binary, fixture):
    """Differences from the file: (line, prefix, address, expected, seen)."""
    differences, asked = [], 0
    for prefix in PREFIXES:
        with tempfile.TemporaryDirectory() as folder:
            translator = Translator(name, prefix, binary, folder)
            translator.wait_until_it_runs()
            # A round trip through both takes well under a millisecond; what has not come in thirty is dropped.
            for network, addresses, direction, place, elsewhere, well_known, section in read_lines(fixture):
                for address in addresses:
                    expected = well_known if prefix == WELL_KNOWN else elsewhere
                    answers = translator.ask(question(direction, place, address, prefix), 0.03)
                    seen = verdict(direction, place, address, prefix, answers)
                    asked += 1
                    if seen != expected:
                        differences.append((network, direction, place, prefix, address, expected, seen, section))
            translator.close()
    return differences, asked


def report(name, differences, asked):
    print(f"## {name}: {asked - len(differences)} of {asked} as the file says\n")
    if not differences:
        return
    rows = {}
    for network, direction, place, prefix, address, expected, seen, section in differences:
        seen = "other source" if seen.startswith("from") else seen
        rows.setdefault((network, direction, place, expected, seen, section), []).append(prefix)
    print("| prefix | direction | place | file | seen | under | section |\n| --- | --- | --- | --- | --- | --- | --- |")
    for (network, direction, place, expected, seen, section), prefixes in rows.items():
        lengths = sorted({"well-known" if p == WELL_KNOWN else "/" + p.split("/")[1] for p in prefixes})
        under = "all" if len(lengths) == 7 else "own" if len(lengths) == 6 and "well-known" not in lengths else ", ".join(lengths)
        print(f"| {network} | {direction} | {place} | {expected} | {seen} | {under} | {section} |")
    print()


if __name__ == "__main__":
    fixture, *translators = sys.argv[1:]
    for translator in translators:
        name, binary = translator.split("=")
        report(name, *compare(name, binary, fixture))
