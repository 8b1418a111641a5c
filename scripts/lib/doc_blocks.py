# SPDX-License-Identifier: Apache-2.0
"""Runs the command blocks on the pages: doc_blocks.py FOLDER [PAGE …]; FOLDER has the programs.

A block that cannot run here has the reason in a comment before it (page_blocks.py), and the reasons are counted. Each block has a folder
of its own, with stand-ins for what is the reader's. A command is to succeed, or to end as the page says: by a comment (`# exit code 3`),
by the verdict that is shown below it, or by the severity of the rule that the page is about, which the command is to find.
"""
import collections
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from page_blocks import blocks, pages, root

PROGRAMS = "ipv6check nat64sim apt cc curl docker git ip kubectl podman podman-compose scripts/\\S+ sudo swift".split()
COMMAND = re.compile(rf"(?:\$ )?(?:[A-Z_0-9]+=\S+ )*(?:{'|'.join(PROGRAMS)}) [^:]")
# As Tests/EndToEndTests/SampleClient.swift has it.
STATUS_OF_SEVERITY = {"error": 1, "warning": 0, "note": 3}
PATIENCE = 120  # seconds, for a block


def is_commands(block):
    if block.language in ("sh", "console"):
        return True
    return block.language in (None, "") and any(COMMAND.match(line) for line in block.lines)


def statements(block):
    """What the shell is given at a time, with the exit status that the page tells."""
    rule = re.match(r"# (V6C-[0-9]+): .+\n\nSeverity: ([a-z]+) ", block.page.read_text())
    if block.language == "sh":
        yield "\n".join(block.lines), 0, None
        return
    shown = re.search(r"^ipv6check: (PASS|FAIL)", "\n".join(block.lines), re.MULTILINE)
    shows_prompt = any(line.startswith("$ ") for line in block.lines)
    joined = ""
    for line in block.commands():
        if shows_prompt and not line.startswith("$ "):
            continue
        joined += line.removeprefix("$ ")
        if joined.endswith(("||", "&&", "|")):
            joined += " "
            continue
        said = re.search(r"# exit code (\d+)$", joined)
        finds = rule[1] if rule and joined.startswith("ipv6check ") else None
        usual = STATUS_OF_SEVERITY[rule[2]] if finds else 1 if shown and shown[1] == "FAIL" else 0
        status = int(said[1]) if said else usual
        if joined:
            yield joined, status, finds
        joined = ""


def stand_ins(folder):
    """What the pages call the reader's own."""
    (folder / "fixtures").symlink_to(root / "fixtures")
    for program in ("my-binary", "integration-tests"):
        (folder / program).write_text("#!/bin/sh\nexec curl -fsS http://shop.test/ip\n")
        (folder / program).chmod(0o755)
    shutil.copy(root / "fixtures/worlds/demo.yaml", folder / "my-world.yaml")
    (folder / "src").mkdir()
    (folder / "src/client.py").write_text("print('hello')\n")


@contextlib.contextmanager
def shell(text, folder, environment, output):
    """In a session of its own: nothing of it outlives it."""
    process = subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
        stderr=subprocess.STDOUT, start_new_session=True)
    try:
        yield process
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def run(block, environment):
    """What is wrong, or None."""
    with contextlib.ExitStack() as held:
        folder = pathlib.Path(held.enter_context(tempfile.TemporaryDirectory()))
        stand_ins(folder)
        for text, status, finds in statements(block):
            if text.endswith(" &"):
                # There until the block is done, and ready when a reader has typed the next line.
                held.enter_context(shell(f"exec {text.removesuffix(' &')}", folder, environment, subprocess.DEVNULL))
                time.sleep(3)
                continue
            with shell(text, folder, environment, subprocess.PIPE) as process:
                try:
                    output = process.communicate(timeout=PATIENCE)[0].decode(errors="replace")
                except subprocess.TimeoutExpired:
                    return f"{text}: not done after {PATIENCE} s"
            if process.returncode != status:
                return f"{text}: exit {process.returncode}, wanted {status}:\n{output}"
            if finds and finds not in output:
                return f"{text}: does not find {finds}:\n{output}"
    return None


environment = os.environ | {"PATH": f"{os.path.abspath(sys.argv[1])}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
chosen = [pathlib.Path(page).resolve() for page in sys.argv[2:]] or pages
ran = failed = 0
reasons = collections.Counter()
for block in (block for page in chosen for block in blocks(page)):
    if not is_commands(block):
        if block.mark:
            failed += 1
            print(f"  FAILED  {block.place}: is marked, but has no command", file=sys.stderr)
        continue
    if block.mark:
        reasons[block.mark] += 1
        continue
    ran += 1
    mistake = run(block, environment)
    if mistake:
        failed += 1
        print(f"  FAILED  {block.place}: {mistake}", file=sys.stderr)
print(f"  {'FAILED' if failed else 'ok    '}  {ran} command blocks on the pages were run, {reasons.total()} were not:", file=sys.stderr)
for reason, count in reasons.most_common():
    print(f"          {count:3}  {reason}", file=sys.stderr)
sys.exit(1 if failed else 0)
