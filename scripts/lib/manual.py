# SPDX-License-Identifier: Apache-2.0
"""Manual pages and completions, from the programs' own parsers: manual.py FOLDER VERSION DATE PROGRAM …

FOLDER gets share/man, share/bash-completion, share/zsh and share/fish. A command of a program has a page of its own: `man ipv6check-suite`.
"""
import os
import sys

import command_tree
import completions


def roff(text):
    """Text that roff takes as it is."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def prose(text):
    """Paragraphs; lines that begin with a blank stay lines."""
    verbatim = False
    for line in text.splitlines():
        indented = line.startswith(" ")
        if indented != verbatim:
            yield ".EX" if indented else ".EE"
            verbatim = indented
        yield (roff(line) or ".PP") if not indented else roff(line)
    if verbatim:
        yield ".EE"


def described(option):
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option.names)
    value = f"\\fI{roff(option.value)}\\fR" if option.value else ""
    yield ".TP"
    yield f"{names} {value}".strip()
    yield roff(option.help)
    # Not where the help has them already, and no list of all rules.
    if 0 < len(option.values) <= 20 and not all(value in option.help for value in option.values):
        yield roff("Values: " + ", ".join(option.values) + ".")
    if option.default and option.default not in option.help:
        yield roff(f"Default: {option.default}.")


def synopsis(command):
    words = ["\\fB" + roff(" ".join(command.path)) + "\\fR", "[\\fIoptions\\fR]"]
    if command.commands and not command.arguments:
        words.append("\\fIcommand\\fR")
    for argument in command.arguments:
        words.append(f"\\fI{roff(argument.value)}\\fR" + (" …" if argument.repeats else ""))
        if argument.value == "client":
            words.append("[\\fIarguments\\fR …]")
    return " ".join(words)


def page(command, version, date):
    name = "-".join(command.path)
    yield f'.TH "{roff(name).upper()}" "1" "{date}" "ipv6check {version}" "User commands"'
    yield ".SH NAME"
    yield f"{roff(name)} \\- {roff(command.abstract.rstrip('.'))}"
    yield ".SH SYNOPSIS"
    yield synopsis(command)
    if command.discussion:
        yield ".SH DESCRIPTION"
        yield from prose(command.discussion)
    sections = {}
    for option in command.options:
        sections.setdefault(option.section.upper(), []).append(option)
    for argument in command.arguments:
        if argument.help:
            sections.setdefault("ARGUMENTS", []).append(argument)
    for title in sorted(sections, key=lambda title: (title != "ARGUMENTS", title == "")):
        yield f'.SH "{title or "OPTIONS"}"'
        for option in sections[title]:
            yield from described(option)
    if command.commands:
        yield ".SH COMMANDS"
        for other in command.commands:
            yield ".TP"
            yield f"\\fB{roff(' '.join(other.path))}\\fR"
            yield roff(other.abstract)
    yield ".SH SEE ALSO"
    others = [command.path[:-1]] if len(command.path) > 1 else []
    others += [other.path for other in command.commands]
    others += [("nat64sim",) if command.path[0] == "ipv6check" else ("ipv6check",)]
    yield ", ".join(f"\\fB{roff('-'.join(path))}\\fR(1)" for path in others if path)
    yield ".PP"
    yield "The manual is in /usr/share/doc/ipv6check."


def write(folder, path, text):
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(folder, version, date, *programs):
    for program in programs:
        tree = command_tree.read(program)
        for command in tree.all():
            write(folder, f"share/man/man1/{'-'.join(command.path)}.1", "\n".join(page(command, version, date)) + "\n")
        name = tree.path[0]
        write(folder, f"share/bash-completion/completions/{name}", completions.bash(tree))
        write(folder, f"share/zsh/vendor-completions/_{name}", completions.zsh(tree))
        write(folder, f"share/fish/vendor_completions.d/{name}.fish", completions.fish(tree))


main(*sys.argv[1:])
