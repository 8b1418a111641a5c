# SPDX-License-Identifier: Apache-2.0
"""`scripts/endure clients`: ten clients of seven languages, each so many times, two at a time.

A finding has to be the same in every run: which rule, which program, which line, and where the address is from. So has the verdict.
What is told of a client must not depend on which of its threads or processes came first.
"""

import collections
import concurrent.futures
import difflib
import json
import os
import re
import shutil
import subprocess
import tempfile

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../fixtures/clients")
WORLD = ["--world", f"{FIXTURES}/world.yaml"]

# Name, the folder that it runs in, what builds it into PRODUCT, options of ipv6check, and its command.
CLIENTS = [
    ("gethostbyname.c", ".", ["cc", "-g", "-o", "PRODUCT", "gethostbyname.c"], [], ["PRODUCT", "echo.test", "7"]),
    ("passive.c", "protocols", ["cc", "-g", "-std=gnu11", "-o", "PRODUCT", "passive.c"], WORLD, ["PRODUCT"]),
    ("fetch.go", "fetch", ["go", "build", "-o", "PRODUCT", "fetch.go"], [], ["PRODUCT", "http://198.51.100.10/"]),
    ("workers.py", "paths", None, ["--world", "world.yaml", "--getaddrinfo", "linux"], ["python3", "workers.py"]),
    ("telemetry.py", ".", None, ["--trace", "always"], ["python3", "telemetry.py", "echo.test", "7"]),
    ("redirect.js", "protocols", None, WORLD, ["node", "redirect.js"]),
    ("stun.js", "protocols", None, WORLD, ["node", "stun.js"]),
    ("server_list.rb", "protocols", None, [*WORLD, "--getaddrinfo", "linux"], ["ruby", "server_list.rb"]),
    ("tunnel.pl", "protocols", None, [*WORLD, "--getaddrinfo", "linux"], ["perl", "tunnel.pl"]),
    ("direct.php", "protocols", None, [*WORLD, "--getaddrinfo", "linux"], ["php", "direct.php"]),
]

# A run has this long; the clients end in less than a second.
TIMEOUT = 120

# A port that a kernel chose by chance: of 32768 and more.
CHANCE = re.compile(r"\bport (3[2-9]|[4-6][0-9])[0-9]{3}\b")


def findings(path):
    """The verdict and the findings, in lines that can be compared."""
    with open(path) as file:
        report = json.load(file)
    text = json.dumps([report["verdict"], report["exitCode"], report["findings"]], indent=1, sort_keys=True)
    return CHANCE.sub("port chosen by chance", text)


def clients(binaries, count, trouble):
    folder = tempfile.mkdtemp(prefix="endure-")
    environment = {**os.environ, "GOCACHE": f"{folder}/go"}

    def run(index, name, place, options, command):
        path = f"{folder}/{name}-{index}.json"
        output = subprocess.run(
            [f"{binaries}/ipv6check", "--json", path, *options, "--", *command], cwd=f"{FIXTURES}/{place}",
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=TIMEOUT)
        if not os.path.exists(path):
            return f"no report, exit code {output.returncode}: {output.stderr.decode(errors='replace')}"
        text = findings(path)
        os.unlink(path)
        return text

    unlike = []
    try:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for name, place, build, options, command in CLIENTS:
                product = f"{folder}/{name}.program"
                if build is not None:
                    subprocess.run(
                        [product if word == "PRODUCT" else word for word in build], cwd=f"{FIXTURES}/{place}",
                        env=environment, check=True)
                command = [product if word == "PRODUCT" else word for word in command]
                seen = collections.Counter(
                    pool.map(lambda index: run(index, name, place, options, command), range(count)))
                (usual, times), *others = seen.most_common()
                if '"rule"' not in usual:
                    raise trouble(f"{name} is to have a finding, and has none: {usual}")
                print(f"{name}: {times} of {count} runs alike", flush=True)
                if others:
                    unlike.append(name)
                for other, times in others:
                    print(f"{times} × otherwise:")
                    print(*difflib.unified_diff(usual.splitlines(), other.splitlines(), lineterm="", n=2), sep="\n", flush=True)
    finally:
        shutil.rmtree(folder)
    if unlike:
        raise trouble(f"not always the same findings: {', '.join(unlike)}")
    print(f"{len(CLIENTS)} clients, {count} runs each, all with the same findings")
