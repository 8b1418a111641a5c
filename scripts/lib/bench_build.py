# SPDX-License-Identifier: Apache-2.0
"""Builds a fresh clone for release and writes into docs/architecture.md what each dependency costs; see scripts/bench.

    bench_build.py build       builds, which takes minutes, and writes the table
    bench_build.py check       whether the table has the packages and versions of Package.swift, whose dump is the standard input

The seconds are of the compilers' processor time (scripts/lib/timed_compiler), the megabytes of what the linker took from the objects (its map).
"""
import collections
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs/architecture.md")
BEGIN, END = "<!-- made by scripts/bench build -->", "<!-- end -->"
OWN = "this repository"
# Libraries that the executable has in it, by the name of their archive, or of their folder; the first that fits.
LIBRARIES = [
    (r"Foundation", "FoundationEssentials"),
    (r"/libdispatch|BlocksRuntime", "libdispatch"),
    (r"/swift(_static)?/|libswift", "Swift's standard library"),
    (r"libstdc\+\+", "libstdc++"),
    (r"libnl", "libnl-3, libnl-route-3"),
    (r"/lib(yaml|expat|md)\.a", "libyaml, libexpat, libmd"),
]


def build(clone, times, link_map):
    """Seconds by the clock and of processor."""
    compilers = os.path.dirname(os.path.realpath(subprocess.check_output(["sh", "-c", "command -v swiftc"], text=True).strip()))
    wrappers = os.path.join(os.path.dirname(times), "bin")
    os.mkdir(wrappers)
    for name in ("swiftc", "clang"):
        os.symlink(os.path.join(ROOT, "scripts/lib/timed_compiler"), os.path.join(wrappers, name))
    environment = os.environ | {
        "SWIFT_EXEC": f"{wrappers}/swiftc", "CC": f"{wrappers}/clang", "COMPILERS": compilers, "COMPILE_TIMES": times,
        "LINK_MAP": link_map,
    }
    subprocess.run(["swift", "package", "--package-path", clone, "resolve"], check=True)
    began = time.monotonic()
    subprocess.run(
        ["bash", "-c", '. "$1"/scripts/lib/prerequisites.sh && build_release ipv6check', "bash", clone],
        env=environment, check=True)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime


def package_of(source):
    found = re.search(r"/\.build/checkouts/([^/]+)/", source)
    return found[1] if found else OWN


def compile_times(times):
    """Seconds by package, and the package of each folder of objects."""
    seconds, packages = collections.Counter(), {}
    with open(times, encoding="utf-8") as lines:
        for line in lines:
            spent, objects, source = line.rstrip("\n").split("\t")
            package = package_of(source) if source else "linking, and the compilers' questions"
            seconds[package] += sum(map(float, spent.split()))
            if source:
                packages[os.path.basename(objects)] = package
    return seconds, packages


def linked_octets(link_map, packages):
    """Octets of the executable by package or library."""
    octets = collections.Counter()
    with open(link_map, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            found = re.search(r"0x([0-9a-f]{16})\s+0x([0-9a-f]+)\s+(\S.*\.o\)?)$", line)
            # Sections that are not loaded have no address; .bss is not in the file.
            if not found or int(found[1], 16) == 0 or re.match(r"\s*\.t?bss", line):
                continue
            module = re.search(r"([^/]+)\.build/", found[3])
            name = packages.get(module[1]) if module else None
            octets[name or next((name for pattern, name in LIBRARIES if re.search(pattern, found[3])), "the C library's start")] += int(found[2], 16)
    return octets


def rows(text):
    """The table's rows by their first column."""
    table = text.split(BEGIN)[1].split(END)[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("|")]
    return {row[0]: row for row in cells[2:]}


def versions(manifest):
    """The exact version of each package, by the name of its checkout."""
    return {
        os.path.basename(source["location"]["remote"][0]["urlString"]).removesuffix(".git"): source["requirement"]["exact"][0]
        for dependency in manifest["dependencies"] for source in dependency["sourceControl"]
    }


def write(seconds, octets, elapsed, processor, pinned):
    with open(PAGE, encoding="utf-8") as page:
        text = page.read()
    uses = {name: row[-1] for name, row in rows(text).items()}
    names = sorted(set(seconds) | set(octets) | set(pinned), key=lambda name: (-seconds[name], -octets[name], name))
    lines = [
        f"{time.strftime('%-d %B %Y')}, {os.cpu_count()} processors: {elapsed:.0f} s by the clock, {processor:.0f} s of processor.", "",
        "| package | version | seconds | megabytes | used for |", "| --- | --- | --- | --- | --- |",
    ]
    for name in names:
        spent = f"{seconds[name]:.0f}" if seconds[name] else "not compiled" if name in pinned else ""
        size = f"{octets[name] / 1e6:.1f}" if octets[name] else ""
        lines.append(f"| {name} | {pinned.get(name, '')} | {spent} | {size} | {uses.get(name, '')} |")
    before, after = text.split(BEGIN)[0], text.split(BEGIN)[1].split(END, 1)[1]
    with open(PAGE, "w", encoding="utf-8") as page:
        page.write(f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}")
    print("\n".join(lines))


def dump(root):
    return json.loads(subprocess.check_output(["swift", "package", "--package-path", root, "dump-package"]))


def check():
    with open(PAGE, encoding="utf-8") as page:
        found = {name: row[1] for name, row in rows(page.read()).items() if row[1]}
    wanted = versions(json.load(sys.stdin))
    for name in sorted(wanted | found):
        if wanted.get(name) != found.get(name):
            print(f"docs/architecture.md: {name} {found.get(name, 'is missing')}, and Package.swift: {wanted.get(name, 'does not name it')}", file=sys.stderr)
    sys.exit(wanted != found)


if sys.argv[1:] == ["check"]:
    check()
with tempfile.TemporaryDirectory() as folder:
    clone = os.path.join(folder, "clone")
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", clone], check=True)
    elapsed, processor = build(clone, f"{folder}/times", f"{folder}/map")
    spent, modules = compile_times(f"{folder}/times")
    write(spent, linked_octets(f"{folder}/map", modules), elapsed, processor, versions(dump(clone)))
