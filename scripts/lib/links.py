# SPDX-License-Identifier: Apache-2.0
"""Checks that every relative link of the Markdown files leads to a file and, behind a #, to a heading of it."""

import os
import re
import subprocess
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *$", re.M)


def prose(path):
    """The text without fenced and indented code, in which brackets mean something else."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```$", "", file.read(), flags=re.M | re.S)
    return "\n".join(line for line in text.split("\n") if not line.startswith("    "))


def anchors(path):
    """As GitHub makes them of headings."""
    found = HEADING.findall(prose(path))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def main():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md", ":!Sources/Core/RulePages/pages"], capture_output=True, text=True, check=True)
    broken = 0
    for page in sorted(path for path in listed.stdout.split("\n") if os.path.exists(path) and path):
        for link in LINK.findall(prose(page)):
            if "://" in link or link.startswith("mailto:"):
                continue
            path, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(target):
                problem = "does not exist"
            elif anchor and anchor not in anchors(target):
                problem = "has no such heading"
            else:
                continue
            print(f"{page}: {link} {problem}", file=sys.stderr)
            broken += 1
    sys.exit(1 if broken else 0)


main()
