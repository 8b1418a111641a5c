# SPDX-License-Identifier: Apache-2.0
"""The commands of a program as its own parser tells them (`PROGRAM --experimental-dump-help`), for the manual and the completions."""
import json
import subprocess
from dataclasses import dataclass, field

# Commands without a name of their own: what is said without one.
DEFAULT = "run"
# By the name that help gives a value.
FILES = {"file", "in.pcap", "out.pcap", "path", "results"}
FOLDERS = {"folder"}


@dataclass
class Option:
    names: list[str]
    help: str
    # None where it takes no value.
    value: str | None
    values: list[str] = field(default_factory=list)
    default: str | None = None
    section: str = ""
    repeats: bool = False

    @property
    def completes(self):
        return "files" if self.value in FILES else "folders" if self.value in FOLDERS else ""


@dataclass
class Command:
    path: tuple[str, ...]
    abstract: str
    discussion: str
    options: list[Option]
    arguments: list[Option]
    commands: list["Command"]

    @property
    def runs_client(self):
        return any(argument.value == "client" for argument in self.arguments)

    def all(self):
        yield self
        for command in self.commands:
            yield from command.all()


def _values(item):
    """Of an option that takes more than its values, those are what is completed."""
    return item.get("allValues") or item.get("completionKind", {}).get("list", {}).get("values", [])


def _option(item):
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in item.get("names", [])]
    takes = item["kind"] != "flag"
    return Option(
        sorted(names, key=len), item.get("abstract", ""), item.get("valueName", "value") if takes else None, _values(item),
        item.get("defaultValue") if takes else None, item.get("sectionTitle", ""), item.get("isRepeating", False))


def _command(node, path):
    items = [item for item in node.get("arguments", []) if item.get("shouldDisplay", True)]
    nodes = {child["commandName"]: child for child in node.get("subcommands", []) if child.get("shouldDisplay", True)}
    nodes.pop("help", None)
    # Its options and arguments are those of the command around it.
    standard = nodes.pop(DEFAULT, None)
    command = Command(
        path, node.get("abstract", ""), node.get("discussion", ""),
        [_option(item) for item in items if item["kind"] != "positional"],
        [_option(item) for item in items if item["kind"] == "positional"],
        [_command(child, path + (name,)) for name, child in sorted(nodes.items())])
    if standard:
        inner = _command(standard, path)
        known = {name for option in inner.options for name in option.names}
        command.options = inner.options + [option for option in command.options if not known & set(option.names)]
        command.arguments = inner.arguments
        command.discussion = inner.discussion
    return command


def read(program):
    dump = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    node = json.loads(dump)["command"]
    return _command(node, (node["commandName"],))
