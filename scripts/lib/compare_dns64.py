# SPDX-License-Identifier: Apache-2.0
"""The work of scripts/compare-dns64: an upstream that errs where it is told to, three DNS64 servers over it, the questions, and
the table.

run: for each setup, starts ipv6check with `ask` as its client, and in the world's namespace the upstream, BIND and Unbound.
ask: in the client's namespace, asks all of them.
upstream: answers, as a resolver would, from the names below.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import dns.flags
import dns.message
import dns.name
import dns.query
import dns.rcode
import dns.rdata
import dns.rdataclass
import dns.rdatatype
import dns.reversename
import dns.rrset
import dns.version

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENT = os.path.join(ROOT, "docs/compare-dns64.md")
BEGIN, END = "<!-- made by scripts/compare-dns64 -->", "<!-- end -->"
SERVER = "2e00:2:0:1::1"
UPSTREAM_PORT = 5300
PORTS = {"ours": 53, "BIND": 5301, "Unbound": 5302}
# What BIND spends on a question that nobody answers is 10 seconds, and Unbound's is longer.
TIMEOUT = 25

# Its TTL is no longer than its MINIMUM (RFC 2308 §3).
SOA = "example. 60 SOA ns.example. who.example. 1 3600 1200 604800 60"
# Of these the upstream is asked.
ZONES = ["example", "8.in-addr.arpa", "1.in-addr.arpa", "0.0.6.2.ip6.arpa", "b.9.f.f.4.6.0.0.ip6.arpa"]
NO_SOA = "no SOA"
SILENCE = "silence"
# Of what it would have to ask the root for, which is not here.
NOT_ASKED = "not asked"
# A CNAME whose end the upstream leaves open.
OPEN = "open"

# What the upstream says of a name and a type: records; an RCODE; silence; or records with what is to stand in the authority
# section. A name that has other types has no data of this one; a name that is not here does not exist.
UPSTREAM = {
    "v4": {"A": ["3600 A 8.8.8.8"], "TXT": ['60 TXT "text"'], "MX": ["60 MX 10 v4.example."]},
    "two": {"A": ["300 A 8.8.8.8", "300 A 8.8.4.4"]},
    "dual": {"A": ["300 A 8.8.8.8"], "AAAA": ["300 AAAA 2600::1"]},
    "short": {"A": ["30 A 8.8.8.8"]},
    "nosoa": {"A": ["3600 A 8.8.8.8"], "AAAA": NO_SOA},
    "nosoa-short": {"A": ["100 A 8.8.8.8"], "AAAA": NO_SOA},
    "servfail": {"A": ["300 A 8.8.8.8"], "AAAA": "SERVFAIL"},
    "refused": {"A": ["300 A 8.8.8.8"], "AAAA": "REFUSED"},
    "notimp": {"A": ["300 A 8.8.8.8"], "AAAA": "NOTIMP"},
    "nxdomain": {"A": ["300 A 8.8.8.8"], "AAAA": "NXDOMAIN"},
    "silent": {"A": ["300 A 8.8.8.8"], "AAAA": SILENCE},
    "a-fails": {"A": "SERVFAIL"},
    "nothing": {"TXT": ['60 TXT "text"']},
    "mapped": {"A": ["300 A 8.8.8.8"], "AAAA": ["300 AAAA ::ffff:8.8.4.4"]},
    "mapped-alone": {"AAAA": ["300 AAAA ::ffff:8.8.4.4"]},
    "mixed": {"A": ["300 A 8.8.8.8"], "AAAA": ["300 AAAA ::ffff:8.8.4.4", "300 AAAA 2600::1"]},
    "signed": {"A": ["300 A 8.8.8.8"]},
    "signed-mapped": {"A": ["300 A 8.8.8.8"], "AAAA": ["300 AAAA ::ffff:8.8.4.4"]},
    "signed-six": {"A": ["300 A 8.8.8.8"], "AAAA": ["300 AAAA 2001:db8:1::1", "300 AAAA 2001:db8:4::1"]},
    "one-excludes": {"A": ["300 A 8.8.8.8"], "AAAA": ["300 AAAA 2001:db8:1::1"]},
    "both-exclude": {"A": ["300 A 8.8.8.8"], "AAAA": ["300 AAAA 2001:db8:3::1"]},
    "sixes": {"A": ["300 A 8.8.8.8"], "AAAA": [f"300 AAAA 2001:db8:{number}::1" for number in (1, 2, 3, 4)]},
    "private": {"A": ["300 A 10.1.2.3"]},
    "half-private": {"A": ["300 A 10.1.2.3", "300 A 8.8.8.8"]},
    "alias": {"CNAME": ["300 CNAME v4.example."]},
    "alias2": {"CNAME": ["300 CNAME alias.example."]},
    "alias-dual": {"CNAME": ["300 CNAME dual.example."]},
    "open-alias": {"CNAME": ["300 CNAME v4.example."], OPEN: OPEN},
    "open-dual": {"CNAME": ["300 CNAME dual.example."], OPEN: OPEN},
    "alias-none": {"CNAME": ["300 CNAME none.example."]},
    "loop": {"CNAME": ["300 CNAME loop.example."]},
    "old": {"DNAME": ["300 DNAME new.example."]},
    "host.new": {"A": ["300 A 8.8.8.8"]},
    "8.8.8.8.in-addr.arpa.": {"PTR": ["300 PTR v4.example."]},
    dns.reversename.from_address("2600::1").to_text(): {"PTR": ["300 PTR dual.example."]},
}


# MARK: - The upstream


class Upstream:
    def __init__(self):
        origin = dns.name.from_text("example.")
        self.names = {}
        for name, types in UPSTREAM.items():
            self.names[dns.name.from_text(name, origin)] = types

    def answer(self, query):
        """The response to a message, and None for silence."""
        reply = dns.message.make_response(query, recursion_available=True)
        question = query.question[0]
        name, kind = question.name, dns.rdatatype.to_text(question.rdtype)
        for _ in range(9):
            dname = next((n for n in self.names if "DNAME" in self.names[n] and name.is_subdomain(n) and name != n), None)
            if dname is not None:
                self.add(reply, dname, self.names[dname]["DNAME"])
                target = name.relativize(dname).derelativize(dns.name.from_text("new.example."))
                self.add(reply, name, [f"300 CNAME {target}"])
                name = target
                continue
            types = self.names.get(name)
            if types is None:
                if not any(other.is_subdomain(name) for other in self.names):
                    reply.set_rcode(dns.rcode.NXDOMAIN)
                self.deny(reply, name)
                return reply
            if "CNAME" in types and kind != "CNAME":
                self.add(reply, name, types["CNAME"])
                if OPEN in types:
                    return reply
                name = dns.name.from_text(types["CNAME"][0].split()[-1])
                continue
            found = types.get(kind)
            if found == SILENCE:
                return None
            if isinstance(found, list):
                self.add(reply, name, found)
            elif found is None:
                self.deny(reply, name)
            elif found != NO_SOA:
                reply.set_rcode(dns.rcode.from_text(found))
                if found == "NXDOMAIN":
                    self.deny(reply, name)
            # Nobody validates here: what is there to be seen is that there is a signature. Letters come in either case.
            if name.labels[0].lower().startswith(b"signed") and query.ednsflags & dns.flags.DO:
                for section in reply.answer, reply.authority:
                    for rrset in list(section):
                        covered = dns.rdatatype.to_text(rrset.rdtype)
                        data = f"{covered} 13 2 300 20800101000000 20200101000000 1 example. c2lnbmF0dXJl"
                        section.append(dns.rrset.from_text(rrset.name, rrset.ttl, "IN", "RRSIG", data))
            return reply
        return reply

    @staticmethod
    def add(reply, name, lines):
        for line in lines:
            ttl, kind, data = line.split(maxsplit=2)
            rrset = reply.find_rrset(reply.answer, name, dns.rdataclass.IN, dns.rdatatype.from_text(kind), create=True)
            rrset.add(dns.rdata.from_text("IN", kind, data), int(ttl))

    @staticmethod
    def deny(reply, name):
        _, ttl, _, data = SOA.split(maxsplit=3)
        # That of the zone in which the name lies; BIND does not take another's.
        zones = [dns.name.from_text(zone) for zone in ZONES]
        zone = next((zone for zone in zones if name.is_subdomain(zone)), zones[0])
        reply.authority.append(dns.rrset.from_text(zone, int(ttl), "IN", "SOA", data))

    def serve(self):
        address = ("127.0.0.1", UPSTREAM_PORT)
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(address)
        tcp = socket.create_server(address)
        threading.Thread(target=self.serve_streams, args=(tcp,), daemon=True).start()
        while True:
            octets, peer = udp.recvfrom(4096)
            try:
                reply = self.answer(dns.message.from_wire(octets))
                if reply:
                    udp.sendto(reply.to_wire(), peer)
            except Exception as error:  # a query that cannot be read is none of ours to answer
                print(error, file=sys.stderr)

    def serve_streams(self, listener):
        while True:
            stream, _ = listener.accept()
            threading.Thread(target=self.serve_stream, args=(stream,), daemon=True).start()

    def serve_stream(self, stream):
        try:
            while True:
                query, _ = dns.query.receive_tcp(stream)
                reply = self.answer(query)
                if reply:
                    dns.query.send_tcp(stream, reply)
        except (EOFError, OSError):
            stream.close()


# MARK: - The questions

WKP = "64:ff9b::"
GOOGLE = "AAAA 64:ff9b::808:808"
PREFIXED_PTR = dns.reversename.from_address("64:ff9b::808:808").to_text()
ABSENT_PTR = dns.reversename.from_address("64:ff9b::101:101").to_text()
OWN_PTR = dns.reversename.from_address("2001:db8:64::808:808").to_text()
# Where the reverse tree of 64:ff9b::/96 begins, and names above and below that.
APEX = "0." * 16 + "b.9.f.f.4.6.0.0.ip6.arpa."
SPECIAL_PTR = dns.reversename.from_address("64:ff9b::192.0.0.170").to_text()

# The sentence, what is asked (name, type, options), and the answers that it allows, the first being ours.
# An answer is the RCODE and the data, "TYPE data" each; "/TTL" where that is the point.
QUESTIONS = [
    ("6147 §5.1", "v4.example. CH AAAA: another class", "v4.example.", "AAAA", ["CH"], ["REFUSED", "NOTIMP", "SERVFAIL", "NXDOMAIN", "NOERROR"]),
    ("6147 §5.1", "v4.example. HS AAAA: another class", "v4.example.", "AAAA", ["HS"], ["REFUSED", "NOTIMP", "SERVFAIL", "NXDOMAIN", "NOERROR"]),
    ("6147 §5.1.1", "a real AAAA", "dual.example.", "AAAA", [], ["NOERROR AAAA 2600::1"]),
    ("6147 §5.1.2", "NXDOMAIN", "none.example.", "AAAA", [], ["NXDOMAIN"]),
    ("6147 §5.1.2", "SERVFAIL to AAAA", "servfail.example.", "AAAA", [], [f"NOERROR {GOOGLE}"]),
    ("6147 §5.1.2", "REFUSED to AAAA", "refused.example.", "AAAA", [], [f"NOERROR {GOOGLE}"]),
    ("6147 §5.1.2", "NOTIMP to AAAA", "notimp.example.", "AAAA", [], [f"NOERROR {GOOGLE}"]),
    ("6147 §5.1.2", "NXDOMAIN to AAAA, although there is an A", "nxdomain.example.", "AAAA", [], ["NXDOMAIN"]),
    ("6147 §5.1.3", "no answer to AAAA", "silent.example.", "AAAA", [], [f"NOERROR {GOOGLE}"]),
    ("6147 §5.1.4", "AAAA ::ffff:8.8.4.4 alone, and an A", "mapped.example.", "AAAA", [], [f"NOERROR {GOOGLE}"]),
    ("6147 §5.1.4", "AAAA ::ffff:8.8.4.4 alone, no A", "mapped-alone.example.", "AAAA", [], ["NOERROR"]),
    ("6147 §5.1.4", "AAAA ::ffff:8.8.4.4 and a real one", "mixed.example.", "AAAA", [], ["NOERROR AAAA 2600::1"]),
    ("6147 §5.1.5", "a CNAME to IPv4 only", "alias.example.", "AAAA", [], [f"NOERROR CNAME v4.example. {GOOGLE}"]),
    ("6147 §5.1.5", "two CNAMEs", "alias2.example.", "AAAA", [], [f"NOERROR CNAME alias.example. CNAME v4.example. {GOOGLE}"]),
    ("6147 §5.1.5", "a CNAME to a real AAAA", "alias-dual.example.", "AAAA", [], ["NOERROR CNAME dual.example. AAAA 2600::1"]),
    ("6147 §5.1.5", "a CNAME to nowhere", "alias-none.example.", "AAAA", [], ["NXDOMAIN CNAME none.example."]),
    ("6147 §5.1.5", "a DNAME", "host.old.example.", "AAAA", [], [f"NOERROR DNAME new.example. CNAME host.new.example. {GOOGLE}"]),
    ("6147 §5.1.5", "a CNAME to IPv4 only, left open by the upstream", "open-alias.example.", "AAAA", [], [f"NOERROR CNAME v4.example. {GOOGLE}"]),
    ("6147 §5.1.5", "a CNAME to a real AAAA, left open by the upstream", "open-dual.example.", "AAAA", [], ["NOERROR CNAME dual.example. AAAA 2600::1"]),
    ("6147 §5.1.5", "A behind a CNAME left open by the upstream", "open-alias.example.", "A", [], ["NOERROR CNAME v4.example. A 8.8.8.8"]),
    ("1034 §5.2.2", "a CNAME to itself", "loop.example.", "AAAA", [], ["SERVFAIL", "SERVFAIL CNAME loop.example.", "NOERROR CNAME loop.example."]),
    ("6147 §5.1.6", "neither AAAA nor A", "nothing.example.", "AAAA", [], ["NOERROR"]),
    ("6147 §5.1.6", "no AAAA, SERVFAIL to A", "a-fails.example.", "AAAA", [], ["SERVFAIL"]),
    ("6147 §5.1.7", "two A records", "two.example.", "AAAA", [], ["NOERROR AAAA 64:ff9b::808:404 AAAA 64:ff9b::808:808"]),
    ("6147 §5.1.7", "TTL: A 3600, SOA 60", "v4.example.", "AAAA", ["TTL"], [f"NOERROR {GOOGLE}/60"]),
    ("6147 §5.1.7", "TTL: A 30, SOA 60", "short.example.", "AAAA", ["TTL"], [f"NOERROR {GOOGLE}/30"]),
    ("6147 §5.1.7", "TTL: A 3600, no SOA", "nosoa.example.", "AAAA", ["TTL"], [f"NOERROR {GOOGLE}/600"]),
    ("6147 §5.1.7", "TTL: A 100, no SOA", "nosoa-short.example.", "AAAA", ["TTL"], [f"NOERROR {GOOGLE}/100"]),
    ("6052 §3.1", "A 10.1.2.3 under the WKP", "private.example.", "AAAA", [], ["NOERROR"]),
    ("6052 §3.1", "A 10.1.2.3 and 8.8.8.8", "half-private.example.", "AAAA", [], [f"NOERROR {GOOGLE}"]),
    ("6147 §5.3.1", "PTR of 64:ff9b::8.8.8.8", PREFIXED_PTR, "PTR", [],
     ["NOERROR CNAME 8.8.8.8.in-addr.arpa. PTR v4.example.", "NOERROR PTR v4.example."]),
    ("6147 §5.3.1", "PTR of 64:ff9b::1.1.1.1, which has none", ABSENT_PTR, "PTR", [], ["NXDOMAIN", "NOERROR"]),
    ("6147 §5.3.1", "PTR of 64:ff9b::8.8.8.8, without RD", PREFIXED_PTR, "PTR", ["no RD"],
     ["NOERROR CNAME 8.8.8.8.in-addr.arpa. PTR v4.example.", "NOERROR PTR v4.example."]),
    ("8020 §2", "TXT of 64:ff9b::8.8.8.8, which has a PTR", PREFIXED_PTR, "TXT", [], ["NOERROR", "NOERROR CNAME 8.8.8.8.in-addr.arpa."]),
    ("8020 §2", "the reverse tree of 64:ff9b::/96", APEX, "TXT", [], ["NOERROR"]),
    ("8020 §2", "a name between it and the addresses", "8.0." + APEX, "PTR", [], ["NOERROR"]),
    ("8020 §2", "a name above it, 64:ff9b::/32", APEX[32:], "PTR", [], ["NOERROR"]),
    ("8020 §2", "in-addr.arpa above 170.0.0.192", "0.0.192.in-addr.arpa.", "PTR", ["not BIND"], ["NOERROR"]),
    ("8020 §2", "170.0.0.192.in-addr.arpa TXT", "170.0.0.192.in-addr.arpa.", "TXT", [], ["NOERROR"]),
    ("6147 §5.3.1", "PTR of 2600::1", dns.reversename.from_address("2600::1").to_text(), "PTR", [], ["NOERROR PTR dual.example."]),
    ("6147 §5.3.3", "A", "v4.example.", "A", [], ["NOERROR A 8.8.8.8"]),
    ("6147 §5.3.3", "TXT", "v4.example.", "TXT", [], ['NOERROR TXT "text"']),
    ("6147 §5.3.2", "MX: nothing synthesised in the additional section", "v4.example.", "MX", ["additional"], ["NOERROR MX 10 v4.example."]),
    ("6147 §5.5", "DO: synthesised, without AD", "v4.example.", "AAAA", ["DO"], [f"NOERROR {GOOGLE}"]),
    ("6147 §5.5", "CD and DO: nothing synthesised", "v4.example.", "AAAA", ["CD", "DO"], ["NOERROR"]),
    ("6147 §5.5", "CD alone (not treated)", "v4.example.", "AAAA", ["CD"], [f"NOERROR {GOOGLE}", "NOERROR"]),
    ("6147 §5.5", "DO, and the A is signed", "signed.example.", "AAAA", ["DO"], [f"NOERROR {GOOGLE}"]),
    ("6147 §5.5", "CD and DO, and the A is signed", "signed.example.", "AAAA", ["CD", "DO"], ["NOERROR"]),
    ("6147 §5.1.4", "DO, AAAA ::ffff:8.8.4.4 alone, signed, and a signed A", "signed-mapped.example.", "AAAA", ["DO"], [f"NOERROR {GOOGLE}"]),
    ("8880 §7.1", "ipv4only.arpa AAAA", "ipv4only.arpa.", "AAAA", [], ["NOERROR AAAA 64:ff9b::c000:aa AAAA 64:ff9b::c000:ab"]),
    ("8880 §7.1", "ipv4only.arpa A", "ipv4only.arpa.", "A", [], ["NOERROR A 192.0.0.170 A 192.0.0.171"]),
    ("8880 §7.1", "ipv4only.arpa TXT", "ipv4only.arpa.", "TXT", [], ["NOERROR"]),
    ("8880 §7.1", "below ipv4only.arpa", "www.ipv4only.arpa.", "AAAA", [], ["NXDOMAIN"]),
    ("8880 §7.2", "PTR of 192.0.0.170", "170.0.0.192.in-addr.arpa.", "PTR", [], ["NOERROR PTR ipv4only.arpa."]),
    ("8880 §7.2", "PTR of 64:ff9b::192.0.0.170", SPECIAL_PTR, "PTR", [], ["NOERROR PTR ipv4only.arpa."]),
    ("9619 §4", "two questions", "v4.example.", "AAAA", ["two questions"], ["FORMERR"]),
    ("6891 §6.1.3", "EDNS version 1", "v4.example.", "AAAA", ["EDNS 1"], ["BADVERS"]),
    ("6891 §7", "no EDNS in the query, none in the answer", "v4.example.", "AAAA", ["no EDNS"], [f"NOERROR {GOOGLE}"]),
    ("1035 §4.1.1", "opcode STATUS", "v4.example.", "AAAA", ["STATUS"], ["NOTIMP"]),
    ("7766 §5", "over TCP", "v4.example.", "AAAA", ["TCP"], [f"NOERROR {GOOGLE}"]),
]

# Of two clauses, the first for all, the second not for 8.8.4.0/24; and each excludes something.
BOTH = "AAAA 2001:db8:64::808:808 AAAA 64:ff9b::808:808"
CLAUSE_QUESTIONS = [
    ("6147 §5.2", "an AAAA under each prefix", "v4.example.", "AAAA", [], [f"NOERROR {BOTH}"]),
    ("6147 §5.2", "an A that one clause does not map", "two.example.", "AAAA", [],
     ["NOERROR AAAA 2001:db8:64::808:808 AAAA 64:ff9b::808:404 AAAA 64:ff9b::808:808"]),
    ("6147 §5.1.1", "a real AAAA", "dual.example.", "AAAA", [], ["NOERROR AAAA 2600::1"]),
    ("6147 §5.1.4", "an AAAA that one clause excludes", "one-excludes.example.", "AAAA", [],
     [f"NOERROR {BOTH}", "NOERROR AAAA 2001:db8:1::1"]),
    ("6147 §5.1.4", "an AAAA that both exclude", "both-exclude.example.", "AAAA", [], [f"NOERROR {BOTH}"]),
    ("6147 §5.1.4", "AAAA that the first, the second, both and none exclude", "sixes.example.", "AAAA", [],
     ["NOERROR AAAA 2001:db8:4::1", "NOERROR AAAA 2001:db8:1::1 AAAA 2001:db8:2::1 AAAA 2001:db8:4::1"]),
    ("6147 §5.1.4", "DO, signed AAAA that the first and none exclude", "signed-six.example.", "AAAA", ["DO"],
     ["NOERROR AAAA 2001:db8:4::1", "NOERROR AAAA 2001:db8:1::1 AAAA 2001:db8:4::1"]),
    ("6147 §5.1.4", "DO, a signed AAAA ::ffff:8.8.4.4 that the first excludes, and a signed A", "signed-mapped.example.", "AAAA", ["DO"],
     [f"NOERROR {BOTH}"]),
    ("6147 §5.5", "DO, and the A is signed (the second clause has break-dnssec)", "signed.example.", "AAAA", ["DO"], [f"NOERROR {BOTH}"]),
    ("6147 §5.5", "CD and DO (likewise)", "v4.example.", "AAAA", ["CD", "DO"], ["NOERROR AAAA 2001:db8:64::808:808", "NOERROR"]),
    ("6147 §5.3.1", "PTR of 2001:db8:64::8.8.8.8", OWN_PTR, "PTR", [], ["NOERROR CNAME 8.8.8.8.in-addr.arpa. PTR v4.example."]),
    ("6147 §5.3.1", "PTR of 64:ff9b::8.8.8.8", PREFIXED_PTR, "PTR", [], ["NOERROR CNAME 8.8.8.8.in-addr.arpa. PTR v4.example."]),
    ("6147 §5.3.1", "SOA of the reverse tree (dns64-server, dns64-contact)", APEX, "SOA", [],
     ["NOERROR SOA dns64.example.net. hostmaster.example.net."]),
    ("8020 §2", "a name in the reverse tree of 2001:db8:64::/96", ".".join(OWN_PTR.split(".")[4:]), "PTR", [], ["NOERROR"]),
]

# What is configured alike in all servers, and what is asked of them then.
SETUPS = {
    "one prefix": dict(servers=list(PORTS), questions=QUESTIONS, section="", named="dns64 64:ff9b::/96 { };"),
    "two clauses": dict(
        servers=["ours", "BIND"], questions=CLAUSE_QUESTIONS,
        section="""
  dns64-server: dns64.example.net
  dns64-contact: hostmaster.example.net
  clauses:
    - prefix: 64:ff9b::/96
      exclude: [2001:db8:1::/48, 2001:db8:3::/48, "::ffff:0:0/96"]
    - prefix: 2001:db8:64::/96
      exclude: [2001:db8:2::/48, 2001:db8:3::/48]
      mapped: ["!8.8.4.0/24", any]
      break-dnssec: yes
""",
        named="""
    dns64-server "dns64.example.net."; dns64-contact "hostmaster.example.net.";
    dns64 64:ff9b::/96 { exclude { 2001:db8:1::/48; 2001:db8:3::/48; ::ffff:0:0/96; }; };
    dns64 2001:db8:64::/96 {
        exclude { 2001:db8:2::/48; 2001:db8:3::/48; }; mapped { !8.8.4.0/24; any; }; break-dnssec yes;
    };
"""),
}
# Ours alone, where it is to be as BIND is.
AS_BIND = " as BIND"
for setup in list(SETUPS):
    SETUPS[setup + AS_BIND] = dict(
        SETUPS[setup], servers=["ours"], section="\n  profile: bind" + (SETUPS[setup]["section"] or "\n"))


def ask(port, question):
    """What a server says, in a line."""
    _, _, name, kind, options, _ = question
    query = dns.message.make_query(
        name, kind, rdclass=next((name for name in ("CH", "HS") if name in options), "IN"), use_edns=None if "no EDNS" in options else 0,
        want_dnssec="DO" in options)
    if "CD" in options:
        query.flags |= dns.flags.CD
    if "no RD" in options:
        query.flags &= ~dns.flags.RD
    if "EDNS 1" in options:
        query.use_edns(1)
    if "two questions" in options:
        query.question.append(dns.rrset.RRset(dns.name.from_text("dual.example."), 1, 28))
    if "STATUS" in options:
        query.set_opcode(2)
    try:
        send = dns.query.tcp if "TCP" in options else dns.query.udp
        # What it says is looked at as it is: some of these queries get no question back.
        if "two questions" in options or "STATUS" in options or "EDNS 1" in options:
            reply = exchange(query, port)
        else:
            reply = send(query, SERVER, timeout=TIMEOUT, port=port)
    except dns.exception.Timeout:
        return "no answer"
    words = [dns.rcode.to_text(reply.rcode())]
    for rrset in reply.answer:
        texts = sorted(dns.rdatatype.to_text(rrset.rdtype) + " " + record.to_text() for record in rrset)
        # Of a SOA record, whose it is.
        texts = [" ".join(text.split()[:3]) if text.startswith("SOA") else text for text in texts]
        words += [text + (f"/{rrset.ttl}" if "TTL" in options else "") for text in texts if "RRSIG" not in text]
    if reply.flags & dns.flags.AD:
        words.append("(AD)")
    if "no EDNS" in options and reply.edns >= 0:
        words.append("(EDNS)")
    if "additional" in options and any(r.rdtype == dns.rdatatype.AAAA for r in reply.additional):
        words.append("(AAAA in the additional section)")
    return " ".join(words)


def exchange(query, port):
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as udp:
        udp.settimeout(TIMEOUT)
        udp.sendto(query.to_wire(), (SERVER, port))
        try:
            return dns.message.from_wire(udp.recv(4096))
        except socket.timeout:
            raise dns.exception.Timeout


def wait_for(port):
    """Until the server answers, and the upstream behind it."""
    query = dns.message.make_query("dual.example.", "A")
    for _ in range(100):
        try:
            if dns.query.udp(query, SERVER, timeout=0.3, port=port).rcode() == dns.rcode.NOERROR:
                return
        except (dns.exception.Timeout, OSError):
            pass
        time.sleep(0.1)
    sys.exit(f"nobody answers at port {port}")


def ask_all(setup):
    print("ready", flush=True)
    sys.stdin.readline()
    servers, questions = SETUPS[setup]["servers"], SETUPS[setup]["questions"]
    for server in servers:
        wait_for(PORTS[server])
    with concurrent.futures.ThreadPoolExecutor(len(servers)) as pool:
        # One question after the other to each, so that the TTLs are those of a fresh cache.
        def series(server):
            answers = {
                place: NOT_ASKED if f"not {server}" in questions[place][4] else ask(PORTS[server], questions[place])
                for place in ordered(questions)}
            return [answers[place] for place in range(len(questions))]
        results = list(pool.map(series, servers))
    json.dump(dict(zip(servers, results)), sys.stdout)


def ordered(questions):
    """The places of the questions: as in the table, but for what would find its answer in the cache already."""
    return sorted(range(len(questions)), key=lambda place: "TTL" not in questions[place][4])


# MARK: - The run

NAMED = """
options {{
    directory "{folder}"; pid-file none; session-keyfile "{folder}/session.key";
    listen-on {{ none; }}; listen-on-v6 port {port} {{ {server}; }};
    recursion yes; allow-query {{ any; }}; dnssec-validation no; notify no;
    {dns64}
}};
controls {{ }};
"""
# Zone by zone: where everything is forwarded, BIND leaves out its own ipv4only.arpa.
NAMED_ZONE = 'zone "{zone}" {{ type forward; forward only; forwarders {{ 127.0.0.1 port {upstream}; }}; }};\n'
UNBOUND = """
server:
    directory: "{folder}"
    chroot: ""
    username: ""
    pidfile: ""
    use-syslog: no
    logfile: "{folder}/unbound.log"
    interface: {server}@{port}
    access-control: ::/0 allow_snoop
    do-not-query-localhost: no
    module-config: "dns64 iterator"
    dns64-prefix: {prefix}/96
remote-control:
    control-enable: no
forward-zone:
    name: "."
    forward-addr: 127.0.0.1@{upstream}
"""


def version(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout.split("\n")[0]


def run(options):
    results = {setup: play(options.ipv6check, setup) for setup in SETUPS}
    text = tables(results)
    print(text)
    if options.write:
        write(text)


def play(ipv6check, setup):
    """The answers of a setup's servers to its questions."""
    folder = tempfile.mkdtemp(prefix="compare-dns64-")
    children = []
    try:
        return gather(ipv6check, folder, children, setup)
    finally:
        for child in children:
            child.send_signal(signal.SIGTERM)
        for child in children:
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        shutil.rmtree(folder)


def gather(ipv6check, folder, children, setup):
    def path(name, text):
        file = os.path.join(folder, name)
        with open(file, "w") as stream:
            stream.write(text)
        return file

    section = SETUPS[setup]["section"]
    text = f'version: 1\nforwarders: ["127.0.0.1#{UPSTREAM_PORT}"]\n'
    world = path("world.yaml", text + (f"dns64:{section}" if section else ""))
    client = subprocess.Popen(
        [ipv6check, "--quiet", "--control", "never", "--timeout", "300", "--getaddrinfo", "linux", "--world", world, "--",
         sys.executable, os.path.abspath(__file__), "ask", "--setup", setup],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    children.append(client)
    if client.stdout.readline() != "ready\n":
        sys.exit("ipv6check did not start; see above")

    # Into the world's namespace, where ipv6check itself lives.
    enter = ["nsenter", f"--target={client.pid}", "--net"]
    if os.geteuid() != 0:
        enter += ["--user", "--preserve-credentials"]
    values = dict(folder=folder, server=SERVER, upstream=UPSTREAM_PORT, prefix=WKP)
    named = NAMED.format(port=PORTS["BIND"], dns64=SETUPS[setup]["named"], **values)
    named += "".join(NAMED_ZONE.format(zone=zone, **values) for zone in ZONES)
    log = open(os.path.join(folder, "log"), "w")
    commands = {
        "upstream": [sys.executable, os.path.abspath(__file__), "upstream"],
        "BIND": ["named", "-g", "-n", "1", "-c", path("named.conf", named)],
        "Unbound": ["unbound", "-d", "-c", path("unbound.conf", UNBOUND.format(port=PORTS["Unbound"], **values))],
    }
    for name, command in commands.items():
        if name != "upstream" and name not in SETUPS[setup]["servers"]:
            continue
        children.append(subprocess.Popen(enter + command, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
    output, _ = client.communicate("go\n", timeout=300)
    if client.returncode != 0:
        for name in "log", "unbound.log":
            if os.path.exists(os.path.join(folder, name)):
                with open(os.path.join(folder, name), errors="replace") as stream:
                    sys.stderr.write(stream.read()[-4000:])
        sys.exit("the questions could not be asked; see above")
    return json.loads(output)


# MARK: - The table


def tables(results):
    headers = {
        "ours": "ours", "BIND": "BIND " + version("named", "-v").split()[1].split("-")[0],
        "Unbound": "Unbound " + version("unbound", "-V").split()[1],
    }
    parts = []
    for setup, answers in results.items():
        if not setup.endswith(AS_BIND):
            parts += [f"### With {setup}", table(SETUPS[setup], answers, headers)]
    return "\n\n".join(parts + ["### Profile `bind` beside BIND", as_bind(results)])


def table(setup, answers, headers):
    servers = setup["servers"]
    lines = [
        "| RFC | asked | right | " + " | ".join(headers[name] for name in servers) + " |",
        "| --- | --- | --- |" + " --- |" * len(servers),
    ]
    departures = dict.fromkeys(servers, 0)
    for place, (sentence, what, _, _, _, right) in enumerate(setup["questions"]):
        cells = []
        for name in servers:
            said = answers[name][place]
            if said == NOT_ASKED:
                cells.append(said)
                continue
            departures[name] += said not in right
            cells.append(("**" + said + "**") if said not in right else "as is right" if len(right) == 1 else said)
        lines.append(f"| {sentence} | {what} | {' or '.join(right)} | {' | '.join(cells)} |")
    lines.append("| | **departures from the RFCs** | | " + " | ".join(f"**{departures[name]}**" for name in servers) + " |")
    return "\n".join(lines)


def as_bind(results):
    """What BIND says otherwise than ours with its profile."""
    lines = ["| setup | asked | BIND | ours, `profile: bind` |", "| --- | --- | --- | --- |"]
    asked = 0
    for setup, answers in results.items():
        if setup.endswith(AS_BIND):
            continue
        for place, question in enumerate(SETUPS[setup]["questions"]):
            bind, ours = answers["BIND"][place], results[setup + AS_BIND]["ours"][place]
            if bind == NOT_ASKED:
                continue
            asked += 1
            if bind != ours:
                lines.append(f"| {setup} | {question[1]} | {bind} | {ours} |")
    return "\n".join(lines + [f"| | **{len(lines) - 2} of {asked} answers are different** | | |"])


def write(text):
    with open(DOCUMENT) as stream:
        document = stream.read()
    before, rest = document.split(BEGIN)
    after = rest.split(END)[1]
    with open(DOCUMENT, "w") as stream:
        stream.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


parser = argparse.ArgumentParser()
parser.add_argument("part", choices=["run", "ask", "upstream"])
parser.add_argument("--ipv6check")
parser.add_argument("--write", action="store_true")
parser.add_argument("--setup", choices=SETUPS, default="one prefix")
options = parser.parse_args()
if options.part == "run":
    run(options)
elif options.part == "ask":
    ask_all(options.setup)
else:
    Upstream().serve()
