# SPDX-License-Identifier: Apache-2.0
"""Types at bash, zsh and fish in a terminal, and looks at what they complete: try_completions.py SHARE PROGRAM_FOLDER SHELL …

SHARE has bash-completion, zsh and fish as the package installs them. Shells that are not there are an error: name those that are.
"""
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

# The typed text, then the screen after the tabulator.
CASES = [
    ("ipv6check --netw", "--network"),
    ("ipv6check --network d", "dual-stack"),
    ("ipv6check --json rep", "report-here.json"),
    ("ipv6check --json x --control on-", "on-failure"),
    ("ipv6check doc", "doctor"),
    ("ipv6check suite --codeq", "--codequality"),
    ("ipv6check suite --annotations al", "always"),
    ("ipv6check suite suite-h", "suite-here.yaml"),
    ("ipv6check suite che", "check"),
    # If several fit, fish takes the first with the second tabulator.
    ("ipv6check explain V6C-08\t", "V6C-080"),
    ("ipv6check scan --fail-on V6C-00\t", "V6C-001"),
    ("ipv6check ./clie", "client-here"),
    ("ipv6check ./client-here its-arg", "its-argument"),
    ("nat64sim trans", "translate"),
    ("nat64sim serve --conf", "--config"),
    ("nat64sim faults rem", "remove"),
]
FILES = ["report-here.json", "suite-here.yaml", "client-here", "its-argument"]


def command(shell, share):
    if shell == "bash":
        lines = "PS1='READY> '\nbind 'set bell-style none' 'set show-all-if-ambiguous on' 2>/dev/null\n" + "".join(
            f". {share}/bash-completion/completions/{name}\n" for name in ("ipv6check", "nat64sim"))
        return ["bash", "--noprofile", "--rcfile", start(lines), "-i"], {}
    if shell == "zsh":
        folder = tempfile.mkdtemp()
        with open(os.path.join(folder, ".zshrc"), "w") as file:
            file.write(f"PS1='READY> '\nfpath=({share}/zsh/vendor-completions $fpath)\nautoload -U compinit\n"
                       f"compinit -u -d {folder}/dump\nunsetopt prompt_cr prompt_sp\n")
        return ["zsh", "-d", "-i"], {"ZDOTDIR": folder}
    lines = "function fish_prompt; echo 'READY> '; end\nfunction fish_greeting; end\n" + "".join(
        f"source {share}/fish/vendor_completions.d/{name}.fish\n" for name in ("ipv6check", "nat64sim"))
    return ["fish", "--no-config", "-i", "-C", f"source {start(lines)}"], {"HOME": tempfile.mkdtemp()}


def start(lines):
    with tempfile.NamedTemporaryFile("w", delete=False) as file:
        file.write(lines)
    return file.name


class Terminal:
    def __init__(self, words, variables, folder):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, dict(os.environ, TERM="dumb", **variables))

    def read(self, until, seconds):
        """What comes until there is `until`, as text without control sequences."""
        text, end = "", time.monotonic() + seconds
        while until not in text and time.monotonic() < end:
            if select.select([self.descriptor], [], [], 0.05)[0]:
                try:
                    octets = os.read(self.descriptor, 65536)
                except OSError:
                    break
                text += re.sub(r"\x1b\[[0-9;?>=]*[a-zA-Z]|\x1b[=>]|[\r\x07]", "", octets.decode(errors="replace"))
        return text

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def end(self):
        os.close(self.descriptor)
        try:
            os.kill(self.process, 9)
        except ProcessLookupError:
            pass
        os.waitpid(self.process, 0)


def main(share, programs, *shells):
    folder = tempfile.mkdtemp()
    for name in FILES:
        with open(os.path.join(folder, name), "w") as file:
            file.write("#!/bin/sh\n")
    os.chmod(os.path.join(folder, "client-here"), 0o755)
    os.environ["PATH"] = programs + ":" + os.environ["PATH"]
    failures = 0
    for shell in shells:
        words, variables = command(shell, share)
        subprocess.run([shell, "--version"], check=True, capture_output=True)
        for line, wanted in CASES:
            terminal = Terminal(words, variables, folder)
            terminal.read("READY>", 10)
            terminal.type(line + "\t")
            seen = terminal.read(wanted, 3)
            terminal.end()
            if wanted not in seen:
                failures += 1
                print(f"  FAILED  {shell}: {line!r} does not become {wanted!r}: {seen!r}", file=sys.stderr)
    print(f"  {'ok    ' if not failures else 'FAILED'}  {len(CASES)} lines completed in each of: {', '.join(shells)}", file=sys.stderr)
    sys.exit(1 if failures else 0)


main(*sys.argv[1:])
