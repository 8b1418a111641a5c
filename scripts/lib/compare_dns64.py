"""The work of scripts/compare-dns64: an upstream that errs where it is told to, three DNS64 servers over it, the questions, and
the table.

run: starts ipv6check with `ask` as its client, and in the world's namespace the upstream, BIND and Unbound.
ask: in the client's namespace, asks all three.
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
SERVER = "2001:2:0:aab1::1"
UPSTREAM_PORT = 5300
PORTS = {"ours": 53, "BIND": 5301, "Unbound": 5302}
# What BIND spends on a question that nobody answers is 10 seconds, and Unbound's is longer.
PATIENCE = 25

# Its TTL is no longer than its MINIMUM (RFC 2308 §3).
SOA = "example. 60 SOA ns.example. who.example. 1 3600 1200 604800 60"
NO_SOA = "no SOA"
SILENCE = "silence"

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
    "private": {"A": ["300 A 10.1.2.3"]},
    "half-private": {"A": ["300 A 10.1.2.3", "300 A 8.8.8.8"]},
    "alias": {"CNAME": ["300 CNAME v4.example."]},
    "alias2": {"CNAME": ["300 CNAME alias.example."]},
    "alias-dual": {"CNAME": ["300 CNAME dual.example."]},
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
                self.deny(reply)
                return reply
            if "CNAME" in types and kind != "CNAME":
                self.add(reply, name, types["CNAME"])
                name = dns.name.from_text(types["CNAME"][0].split()[-1])
                continue
            found = types.get(kind)
            if found == SILENCE:
                return None
            if isinstance(found, list):
                self.add(reply, name, found)
            elif found is None:
                self.deny(reply)
            elif found != NO_SOA:
                reply.set_rcode(dns.rcode.from_text(found))
                if found == "NXDOMAIN":
                    self.deny(reply)
            # Nobody validates here: what is there to be seen is that there is a signature.
            if name.labels[0] == b"signed" and query.ednsflags & dns.flags.DO:
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
    def deny(reply):
        name, ttl, _, data = SOA.split(maxsplit=3)
        reply.authority.append(dns.rrset.from_text(name, int(ttl), "IN", "SOA", data))

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
SPECIAL_PTR = dns.reversename.from_address("64:ff9b::192.0.0.170").to_text()

# The sentence, what is asked (name, type, options), and the answers that it allows, the first being ours.
# An answer is the RCODE and the data, "TYPE data" each; "/TTL" where that is the point.
QUESTIONS = [
    ("6147 §5.1", "v4.example. CH AAAA: another class", "v4.example.", "AAAA", ["CH"], ["REFUSED", "NOTIMP", "SERVFAIL", "NXDOMAIN", "NOERROR"]),
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
    ("6147 §5.3.1", "PTR of 2600::1", dns.reversename.from_address("2600::1").to_text(), "PTR", [], ["NOERROR PTR dual.example."]),
    ("6147 §5.3.3", "A", "v4.example.", "A", [], ["NOERROR A 8.8.8.8"]),
    ("6147 §5.3.3", "TXT", "v4.example.", "TXT", [], ['NOERROR TXT "text"']),
    ("6147 §5.3.2", "MX: nothing synthesised in the additional section", "v4.example.", "MX", ["additional"], ["NOERROR MX 10 v4.example."]),
    ("6147 §5.5", "DO: synthesised, without AD", "v4.example.", "AAAA", ["DO"], [f"NOERROR {GOOGLE}"]),
    ("6147 §5.5", "CD and DO: nothing synthesised", "v4.example.", "AAAA", ["CD", "DO"], ["NOERROR"]),
    ("6147 §5.5", "CD alone (not treated)", "v4.example.", "AAAA", ["CD"], [f"NOERROR {GOOGLE}", "NOERROR"]),
    ("6147 §5.5", "DO, and the A is signed", "signed.example.", "AAAA", ["DO"], [f"NOERROR {GOOGLE}"]),
    ("6147 §5.5", "CD and DO, and the A is signed", "signed.example.", "AAAA", ["CD", "DO"], ["NOERROR"]),
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


def ask(port, question):
    """What a server says, in a line."""
    _, _, name, kind, options, _ = question
    query = dns.message.make_query(
        name, kind, rdclass="CH" if "CH" in options else "IN", use_edns=None if "no EDNS" in options else 0,
        want_dnssec="DO" in options)
    if "CD" in options:
        query.flags |= dns.flags.CD
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
            reply = send(query, SERVER, timeout=PATIENCE, port=port)
    except dns.exception.Timeout:
        return "no answer"
    words = [dns.rcode.to_text(reply.rcode())]
    for rrset in reply.answer:
        texts = sorted(dns.rdatatype.to_text(rrset.rdtype) + " " + record.to_text() for record in rrset)
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
        udp.settimeout(PATIENCE)
        udp.sendto(query.to_wire(), (SERVER, port))
        try:
            return dns.message.from_wire(udp.recv(4096))
        except socket.timeout:
            raise dns.exception.Timeout


def wait_for(port):
    """Until the server answers something."""
    query = dns.message.make_query("dual.example.", "A")
    for _ in range(100):
        try:
            return dns.query.udp(query, SERVER, timeout=0.3, port=port)
        except (dns.exception.Timeout, OSError):
            time.sleep(0.1)
    sys.exit(f"nobody answers at port {port}")


def ask_all():
    print("ready", flush=True)
    sys.stdin.readline()
    results = []
    for port in PORTS.values():
        wait_for(port)
    with concurrent.futures.ThreadPoolExecutor(len(PORTS)) as pool:
        # One question after the other to each, so that the TTLs are those of a fresh cache.
        def series(port):
            return [ask(port, question) for question in ordered()]
        results = list(pool.map(series, PORTS.values()))
    json.dump(dict(zip(PORTS, results)), sys.stdout)


def ordered():
    """As in the table, but for what would find its answer in the cache already."""
    return sorted(QUESTIONS, key=lambda question: "TTL" not in question[4])


# MARK: - The run

NAMED = """
options {{
    directory "{folder}"; pid-file none; session-keyfile "{folder}/session.key";
    listen-on {{ none; }}; listen-on-v6 port {port} {{ {server}; }};
    recursion yes; allow-query {{ any; }}; dnssec-validation no; notify no;
    dns64 {prefix}/96 {{ }};
}};
controls {{ }};
"""
# Zone by zone: where everything is forwarded, BIND leaves out its own ipv4only.arpa.
NAMED_ZONE = 'zone "{zone}" {{ type forward; forward only; forwarders {{ 127.0.0.1 port {upstream}; }}; }};\n'
NAMED_ZONES = ["example", "8.in-addr.arpa", "1.in-addr.arpa", "0.0.6.2.ip6.arpa"]
UNBOUND = """
server:
    directory: "{folder}"
    chroot: ""
    username: ""
    pidfile: ""
    use-syslog: no
    logfile: "{folder}/unbound.log"
    interface: {server}@{port}
    access-control: ::/0 allow
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
    folder = tempfile.mkdtemp(prefix="compare-dns64-")
    children = []
    try:
        results = gather(options.ipv6check, folder, children)
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
    text = table(results)
    print(text)
    if options.write:
        write(text)


def gather(ipv6check, folder, children):
    def path(name, text):
        file = os.path.join(folder, name)
        with open(file, "w") as stream:
            stream.write(text)
        return file

    world = path("world.yaml", f'version: 1\nforwarders: ["127.0.0.1#{UPSTREAM_PORT}"]\n')
    client = subprocess.Popen(
        [ipv6check, "--quiet", "--control", "never", "--timeout", "300", "--getaddrinfo", "linux", "--world", world, "--",
         sys.executable, os.path.abspath(__file__), "ask"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    children.append(client)
    if client.stdout.readline() != "ready\n":
        sys.exit("ipv6check did not start; see above")

    # Into the world's namespace, where ipv6check itself lives.
    enter = ["nsenter", f"--target={client.pid}", "--net"]
    if os.geteuid() != 0:
        enter += ["--user", "--preserve-credentials"]
    values = dict(folder=folder, server=SERVER, upstream=UPSTREAM_PORT, prefix=WKP)
    named = NAMED.format(port=PORTS["BIND"], **values)
    named += "".join(NAMED_ZONE.format(zone=zone, **values) for zone in NAMED_ZONES)
    log = open(os.path.join(folder, "log"), "w")
    for command in (
        [sys.executable, os.path.abspath(__file__), "upstream"],
        ["named", "-g", "-n", "1", "-c", path("named.conf", named)],
        ["unbound", "-d", "-c", path("unbound.conf", UNBOUND.format(port=PORTS["Unbound"], **values))],
    ):
        children.append(subprocess.Popen(enter + command, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
    output, _ = client.communicate("go\n", timeout=300)
    if client.returncode != 0:
        for name in "log", "unbound.log":
            with open(os.path.join(folder, name), errors="replace") as stream:
                sys.stderr.write(stream.read()[-4000:])
        sys.exit("the questions could not be asked; see above")
    return json.loads(output)


# MARK: - The table


def table(results):
    headers = {
        "ours": "ours", "BIND": "BIND " + version("named", "-v").split()[1].split("-")[0],
        "Unbound": "Unbound " + version("unbound", "-V").split()[1],
    }
    answers = {name: dict(zip(map(id, ordered()), results[name])) for name in PORTS}
    lines = [
        "| RFC | asked | right | " + " | ".join(headers[name] for name in PORTS) + " |",
        "| --- | --- | --- |" + " --- |" * len(PORTS),
    ]
    departures = dict.fromkeys(PORTS, 0)
    for question in QUESTIONS:
        sentence, what, _, _, _, right = question
        cells = []
        for name in PORTS:
            said = answers[name][id(question)]
            departures[name] += said not in right
            cells.append(("**" + said + "**") if said not in right else "as is right" if len(right) == 1 else said)
        lines.append(f"| {sentence} | {what} | {' or '.join(right)} | {' | '.join(cells)} |")
    lines.append("| | **departures from the RFCs** | | " + " | ".join(f"**{departures[name]}**" for name in PORTS) + " |")
    return "\n".join(lines)


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
options = parser.parse_args()
if options.part == "run":
    run(options)
elif options.part == "ask":
    ask_all()
else:
    Upstream().serve()
