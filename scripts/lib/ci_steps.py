# SPDX-License-Identifier: Apache-2.0
"""The files of docs/ci.md, and the shell in them: ci_steps.py FOLDER

Writes each fenced block under the name in its first line, and each of their shell steps as FOLDER/steps/FILE.NUMBER.sh, with `# name`
where a step has one. scripts/check reads these, and a test runs those of GitHub.
"""
import os
import re
import sys

import yaml

# Where services keep shell: under these keys, as text or as a list of it.
KEYS = {"run", "script", "command"}


def blocks(page):
    for language, text in re.findall(r"^```(\w+)\n(.*?)^```$", page, re.S | re.M):
        found = re.search(r"^(?:#|//) (\S+)$", text, re.M)
        yield language, found.group(1) if found else "shell", text


def steps(node, name=""):
    """(name, shell) for each step, in the order of the file."""
    if isinstance(node, dict):
        name = node.get("name", name)
        for key, value in node.items():
            if key in KEYS and isinstance(value, str):
                yield name, value
            elif key in KEYS and isinstance(value, list):
                yield name, "\n".join(value)
            else:
                yield from steps(value, name if isinstance(name, str) else "")
    elif isinstance(node, list):
        for item in node:
            yield from steps(item)


def shell(language, file, text):
    if language == "yaml":
        for name, step in steps(yaml.safe_load(text)):
            # Buildkite takes one dollar of two.
            yield name, step.replace("$$", "$")
    elif language == "groovy":
        for step in re.findall(r"\bsh '([^']*)'", text):
            yield "", step
    elif language == "sh":
        yield "", text


def main(folder):
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(os.path.join(root, "docs/ci.md"), encoding="utf-8") as file:
        page = file.read()
    os.makedirs(os.path.join(folder, "steps"), exist_ok=True)
    for place, (language, path, text) in enumerate(blocks(page)):
        name = f"{place:02}-{os.path.basename(path)}"
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        for number, (title, step) in enumerate(shell(language, path, text)):
            start = "" if step.startswith("#!") else "#!/bin/bash\nset -e\n" + (f"# {title}\n" if title else "")
            with open(os.path.join(folder, "steps", f"{name}.{number}.sh"), "w", encoding="utf-8") as file:
                file.write(start + step + "\n")


main(sys.argv[1])
