# SPDX-License-Identifier: Apache-2.0
"""The work of scripts/compare-dns64: DNS64 servers of Debian, one after the other, over the upstream of nat64sim dns64-check, and the
tables of what they answer. It runs in namespaces of its own, which scripts/compare-dns64 makes.
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENT = os.path.join(ROOT, "docs/compare-dns64.md")
BEGIN, END = "<!-- made by scripts/compare-dns64 -->", "<!-- end -->"
TWO_CLAUSES = os.path.join(ROOT, "scripts/lib/compare-dns64/two-clauses.scenario")
SHIPPED = os.path.join(ROOT, "Sources/Core/Scenarios/Questions/dns64.scenario")
UPSTREAM, SERVER = "127.0.0.1#5300", "127.0.0.1#5301"
# BIND gives up after 10 seconds on a question without an answer, and the others' limit is longer.
TIMEOUT = "25"
# Questions for which BIND would ask the root, which is not here: it forwards zone by zone.
NOT_ASKED = {"BIND": ["0.0.192.in-addr.arpa. PTR"]}

NAMED = """
options {{
    directory "{folder}"; pid-file none; session-keyfile "{folder}/session.key";
    listen-on port 5301 {{ 127.0.0.1; }}; listen-on-v6 {{ none; }};
    recursion yes; allow-query {{ any; }}; dnssec-validation no; notify no;
    {dns64}
}};
controls {{ }};
"""
ONE_PREFIX = "dns64 64:ff9b::/96 { };"
BOTH_CLAUSES = """
    dns64-server "dns64.example.net."; dns64-contact "hostmaster.example.net.";
    dns64 64:ff9b::/96 { exclude { 2001:db8:1::/48; 2001:db8:3::/48; ::ffff:0:0/96; }; };
    dns64 2001:db8:64::/96 {
        exclude { 2001:db8:2::/48; 2001:db8:3::/48; }; mapped { !8.8.4.0/24; any; }; break-dnssec yes;
    };
"""
# Where everything is forwarded, BIND leaves out its own ipv4only.arpa.
NAMED_ZONE = 'zone "{zone}" {{ type forward; forward only; forwarders {{ 127.0.0.1 port 5300; }}; }};\n'
ZONES = ["example", "8.in-addr.arpa", "1.in-addr.arpa", "0.0.6.2.ip6.arpa", "b.9.f.f.4.6.0.0.ip6.arpa"]
UNBOUND = """
server:
    directory: "{folder}"
    chroot: ""
    username: ""
    pidfile: ""
    use-syslog: no
    logfile: "{folder}/log"
    interface: 127.0.0.1@5301
    access-control: 127.0.0.0/8 allow_snoop
    do-not-query-localhost: no
    module-config: "dns64 iterator"
    dns64-prefix: 64:ff9b::/96
remote-control:
    control-enable: no
forward-zone:
    name: "."
    forward-addr: 127.0.0.1@5300
"""
# As its documentation has it: https://doc.powerdns.com/recursor/dns64.html
POWERDNS_SCRIPT = """
prefix = "64:ff9b::"
apex = newDN("0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.b.9.f.f.4.6.0.0.ip6.arpa.")

function nodata(dq)
  if dq.qtype ~= pdns.AAAA then return false end
  dq.followupFunction = "getFakeAAAARecords"
  dq.followupPrefix = prefix
  dq.followupName = dq.qname
  return true
end

function preresolve(dq)
  if dq.qtype ~= pdns.PTR or not dq.qname:isPartOf(apex) then return false end
  dq.followupFunction = "getFakePTRRecords"
  dq.followupPrefix = prefix
  dq.followupName = dq.qname
  return true
end
"""
KNOT = """
net.listen('127.0.0.1', 5301, { kind = 'dns' })
trust_anchors.remove('.')
modules.load('dns64')
dns64.config('64:ff9b::')
policy.add(policy.all(policy.FORWARD('127.0.0.1@5300')))
"""


def first_line(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout.split("\n")[0]


class Server:
    """A server of Debian's: its name with the version, and the command that runs it in a folder."""

    def __init__(self, name, version, command):
        self.name, self.version, self.command = name, version, command

    @property
    def title(self):
        return f"{self.name} {self.version()}"


def path(folder, name, text):
    file = os.path.join(folder, name)
    with open(file, "w") as stream:
        stream.write(text)
    return file


def bind(dns64):
    def command(folder):
        text = NAMED.format(folder=folder, dns64=dns64) + "".join(NAMED_ZONE.format(zone=zone) for zone in ZONES)
        return ["named", "-g", "-n", "1", "-c", path(folder, "named.conf", text)]
    return Server("BIND", lambda: first_line("named", "-v").split()[1].split("-")[0], command)


def unbound(folder):
    return ["unbound", "-d", "-c", path(folder, "unbound.conf", UNBOUND.format(folder=folder))]


def powerdns(folder):
    script = path(folder, "dns64.lua", POWERDNS_SCRIPT)
    return [
        "pdns_recursor", f"--config-dir={folder}", f"--socket-dir={folder}", "--daemon=no", "--threads=1", "--dnssec=off",
        "--local-address=127.0.0.1", "--local-port=5301", "--dont-query=", "--forward-zones-recurse=.=127.0.0.1:5300",
        "--setuid=", "--setgid=", f"--lua-dns-script={script}", "--hint-file=no", "--security-poll-suffix="]


def knot(folder):
    return ["kresd", "-n", "-c", path(folder, "kresd.conf", KNOT), folder]


ONE = [
    bind(ONE_PREFIX),
    Server("Unbound", lambda: first_line("unbound", "-V").split()[1], unbound),
    Server("PowerDNS Recursor", lambda: first_line("pdns_recursor", "--version").split("Recursor ")[1].split()[0], powerdns),
    Server("Knot Resolver", lambda: first_line("kresd", "--version").split()[-1], knot),
]
BOTH = [bind(BOTH_CLAUSES)]


def check(nat64sim, *words):
    """What nat64sim dns64-check says of a server, as its JSON has it."""
    done = subprocess.run([nat64sim, "dns64-check", "--json", "-", "--timeout", TIMEOUT, *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    report = json.loads(done.stdout) if done.stdout else {}
    if not report.get("answers"):
        sys.exit(done.stderr)
    return report["answers"]


def ask(nat64sim, server, *files):
    folder = tempfile.mkdtemp(prefix="compare-dns64-")
    with open(os.path.join(folder, "output"), "w") as log:
        child = subprocess.Popen(server.command(folder), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder)
    try:
        # It listens before it can be asked; the check sees whether it answers.
        time.sleep(2)
        return check(nat64sim, "--upstream", UPSTREAM, "@" + SERVER, *files)
    except SystemExit:
        with open(os.path.join(folder, "output"), errors="replace") as log:
            sys.stderr.write(log.read()[-4000:])
        raise
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        shutil.rmtree(folder)


def as_bind(file):
    """The questions of a file to ours with BIND's profile: as the file has it, or with one prefix."""
    with open(file) as stream:
        text = stream.read()
    if "\nnetwork: any\n" in text:
        return text.replace("\nnetwork: any\n", "\nnetwork: any\n    profile: bind\n")
    return "network: any\n    profile: bind\n    clauses: [64:ff9b::/96]\n\n" + text


def table(servers):
    """A row for each question. - servers: the answers by the server's title, ours first."""
    titles = list(servers)
    lines = ["| RFC | asked | right | " + " | ".join(titles) + " |", "| --- | --- | --- |" + " --- |" * len(titles)]
    departures = dict.fromkeys(titles, 0)
    for place, question in enumerate(servers[titles[0]]):
        cells = []
        for title in titles:
            answer = servers[title][place]
            if is_not_asked(title, question):
                cells.append("not asked")
                continue
            departures[title] += not answer["isRight"]
            said = answer["answered"]
            cells.append(f"**{said}**" if not answer["isRight"] else "as is right" if len(answer["right"]) == 1 else said)
        right = " or ".join(question["right"])
        lines.append(f"| {question['rfc'].removeprefix('RFC ')} | {question['point']} | {right} | {' | '.join(cells)} |")
    counts = " | ".join(f"**{departures[title]}**" for title in titles)
    return "\n".join(lines + [f"| | **departures from the RFCs** | | {counts} |"])


def is_not_asked(title, question):
    return any(title.startswith(name) and question["query"] in queries for name, queries in NOT_ASKED.items())


def beside_bind(pairs):
    lines = ["| questions | asked | BIND | ours, `profile: bind` |", "| --- | --- | --- | --- |"]
    asked = 0
    for setup, theirs, ours in pairs:
        for their, our in zip(theirs, ours):
            if is_not_asked("BIND", their):
                continue
            asked += 1
            if their["answered"] != our["answered"]:
                lines.append(f"| {setup} | {their['point']} | {their['answered']} | {our['answered']} |")
    return "\n".join(lines + [f"| | **{len(lines) - 2} of {asked} answers are different** | | |"])


def main(options):
    one = {"ours": check(options.nat64sim)}
    both = {"ours": check(options.nat64sim, TWO_CLAUSES)}
    for server in ONE:
        one[server.title] = ask(options.nat64sim, server)
    for server in BOTH:
        both[server.title] = ask(options.nat64sim, server, TWO_CLAUSES)
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        for setup, answers, file in (("one prefix", one, SHIPPED), ("two clauses", both, TWO_CLAUSES)):
            bind_title = next(title for title in answers if title.startswith("BIND"))
            ours = check(options.nat64sim, path(folder, "as-bind.scenario", as_bind(file)))
            pairs.append((setup, answers[bind_title], ours))
    text = "\n\n".join([
        "### With one prefix", table(one), "### With two clauses", table(both), "### Profile `bind` beside BIND", beside_bind(pairs)])
    print(text)
    if options.write:
        with open(DOCUMENT) as stream:
            document = stream.read()
        before, rest = document.split(BEGIN)
        with open(DOCUMENT, "w") as stream:
            stream.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}")


parser = argparse.ArgumentParser()
parser.add_argument("--nat64sim", required=True)
parser.add_argument("--write", action="store_true")
main(parser.parse_args())
