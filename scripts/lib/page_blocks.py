# SPDX-License-Identifier: Apache-2.0
"""The blocks of the pages: indented ones and fenced ones."""
import pathlib
import re
from dataclasses import dataclass

root = pathlib.Path(__file__).resolve().parents[2]
pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
# A comment before a block, which no reader of the rendered page sees: <!-- not run: the reason -->
MARK = re.compile(r"<!-- not run: (.+) -->")


@dataclass
class Block:
    page: pathlib.Path
    # Where it begins, from 1.
    line: int
    # None where it is indented.
    language: str | None
    # Why it is not run, if that is said.
    mark: str | None
    lines: list[str]

    @property
    def place(self):
        return f"{self.page.relative_to(root)}:{self.line}"

    def commands(self):
        """The lines, those that go on in the next one as a whole."""
        joined = ""
        for line in self.lines:
            joined += line.strip()
            if joined.endswith("\\"):
                joined = joined[:-1]
                continue
            yield joined
            joined = ""


def blocks(page):
    mark, block = None, None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if block is not None and block.language is not None:
            if line.startswith("```"):
                yield block
                block = None
            else:
                block.lines.append(line)
        elif line.startswith("```"):
            block, mark = Block(page, number, line[3:], mark, []), None
        elif line.startswith("    "):
            if block is None:
                block, mark = Block(page, number, None, mark, []), None
            block.lines.append(line[4:])
        elif line.strip():
            if block is not None:
                yield block
                block = None
            match = MARK.fullmatch(line)
            mark = match[1] if match else None
        elif block is not None:
            # It does not end an indented block.
            block.lines.append("")
    if block is not None:
        yield block
