# SPDX-License-Identifier: Apache-2.0
"""Checks the links of the Markdown files: links.py [MANUAL]

Every relative link leads to a file and, behind a #, to a heading of it. Without MANUAL, the files are those of the repository; with it,
those of this folder, which packaged_pages.py has made: no link leaves it, and a URL of the repository leads to a file of it.
"""
import os
import re
import subprocess
import sys

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINK = re.compile(r"(\[[^\]]*\]\()([^()\s]+)(\))")
HEADING = re.compile(r"^#+ +(.*?) *$", re.M)


def segments(text):
    """(lines, whether they are prose), in turn: in fenced and indented code brackets mean something else."""
    fenced, lines, was_prose = False, [], True
    for line in text.splitlines(keepends=True):
        fence = line.startswith("```")
        is_prose = not (fenced or fence or line.startswith("    "))
        fenced ^= fence
        if is_prose != was_prose:
            yield "".join(lines), was_prose
            lines, was_prose = [], is_prose
        lines.append(line)
    yield "".join(lines), was_prose


def prose(path):
    return (lines for lines, is_prose in segments(read(path)) if is_prose)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def anchors(path):
    """As GitHub makes them of headings."""
    found = (heading for lines in prose(path) for heading in HEADING.findall(lines))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def links(path):
    return (link[2] for lines in prose(path) for link in LINK.finditer(lines))


def published(kind):
    """Where GitHub has the repository's files ("blob") and folders ("tree"), at the tag of this version."""
    version = re.search(r'static let current = "([^"]*)"', read(os.path.join(root, "Sources/Core/Text/ProgramVersion.swift")))[1]
    return f"https://github.com/{read(os.path.join(root, 'packaging/repository')).strip()}/{kind}/v{version}/"


def problem(page, link, base, own):
    """What is wrong with a link of a page, or None; `own`: what URLs of files below the root begin with."""
    path, _, anchor = link.partition("#")
    begin = next((begin for begin in own if path.startswith(begin)), None)
    if begin:
        target, base = os.path.join(root, path.removeprefix(begin)), root
    elif "://" in path or path.startswith("mailto:"):
        return None
    else:
        target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(target):
        return "does not exist"
    if os.path.relpath(target, base).startswith(".."):
        return "leaves the folder"
    if anchor and anchor not in anchors(target):
        return "has no such heading"
    return None


def main(manual=None):
    if manual:
        pages = [os.path.join(folder, name) for folder, _, names in os.walk(manual) for name in names if name.endswith(".md")]
    else:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
            capture_output=True, text=True, check=True)
        pages = [path for path in listed.stdout.split("\n") if path and os.path.exists(path)]
    own = [published("blob"), published("tree")] if manual else []
    read_links = broken = 0
    for page in sorted(pages):
        for link in links(page):
            read_links += 1
            wrong = problem(page, link, manual or ".", own)
            if wrong:
                broken += 1
                print(f"{page}: {link} {wrong}", file=sys.stderr)
    print(f"links: {read_links} on {len(pages)} pages, {broken} broken", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
