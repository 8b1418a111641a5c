# SPDX-License-Identifier: Apache-2.0
"""Reads the command lines on the pages: doc_commands.py PROGRAM …

A line of a block that calls ipv6check or nat64sim may only use commands and options that the programs' own parsers have. It is read here;
doc_blocks.py runs what can be run.
"""
import pathlib
import re
import shlex
import sys

import command_tree
from page_blocks import blocks, pages, root

# Words that may come before the program.
BEFORE = re.compile(r"^(?:\$ |sudo (?:-\w+ )*|(?:\S*/)?docker (?:compose )?run .*? (?:check )?|[A-Z_0-9]+=\S+ |timeout \S+ |scripts/|run: |time )+")


def mistakes(words, tree):
    command, index = tree, 1
    while index < len(words):
        word = words[index]
        index += 1
        if word in ("--", "|", "&&", "||", ";", ">", "2>", "<", "…"):
            return
        # An optional part of a synopsis.
        if word.startswith("-") and word != "-" and "[" not in word and "…" not in word:
            name = word.split("=")[0]
            option = next((option for option in command.options if name in option.names), None)
            if option is None and name not in ("--help", "-h", "--version"):
                yield f"{' '.join(command.path)} has no option {name}"
            elif option and option.value and "=" not in word:
                index += 1
            continue
        inner = next((other for other in command.commands if other.path[-1] == word), None)
        if inner is not None:
            command = inner
        elif command.runs_client:
            # The rest is the client's.
            return


trees = {pathlib.Path(program).name: command_tree.read(program) for program in sys.argv[1:]}
read = failed = 0
for page in pages:
    for line in (line for block in blocks(page) for line in block.commands()):
        line = re.split(r"(?:^|\s)#(?:\s|$)", line)[0]
        line = BEFORE.sub("", line)
        # The report of a run begins with the program's name, too.
        if not re.match(r"(ipv6check|nat64sim) [^:]", line) or re.match(r"\w+ (doctor)?: ", line):
            continue
        try:
            words = shlex.split(line)
        except ValueError:
            words = line.split()
        read += 1
        for mistake in mistakes(words, trees[words[0]]):
            failed += 1
            print(f"{page.relative_to(root)}: {mistake}: {line}", file=sys.stderr)
print(f"  {'FAILED' if failed else 'ok    '}  {read} command lines on {len(pages)} pages use what there is (read, not run)", file=sys.stderr)
sys.exit(1 if failed else 0)
