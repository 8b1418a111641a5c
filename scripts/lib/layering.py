# SPDX-License-Identifier: Apache-2.0
"""Holds the wings of the house (Package.swift): what a target imports is what its entry in the manifest names, no less and no
more, and what its wing may see. The compiler checks that nothing is missing in the manifest, but only where it builds, and where
nothing hides it; it does not see what is there in vain.

usage: swift package dump-package | layering.py"""

import json
import pathlib
import re
import sys

# The own targets that a wing may import; a target of Tools and a test may import all.
SEES = {
    "Core": {"Core"},
    "Linux": {"Core", "Linux"},
    "Service": {"Core", "Linux", "Service"},
    "Commands": {"Core", "Linux", "Service", "Commands"},
}
# Core does no I/O: what it takes from elsewhere stands here, with the reason.
FOREIGN_IN_CORE = {
    "ConfigurationText": {"CYAML"},  # libyaml
    "Digests": {"CDigests"},  # libmd
    "Reports": {"FoundationEssentials"},  # JSON
    "Suites": {"FoundationEssentials"},  # JSON
    "TestResults": {"CExpat", "FoundationEssentials"},  # XML (expat) and JSON
    "Wire": {"Glibc"},  # zeroed memory
}
# Headers for targets in C that a product of another name gives.
HEADERS = {"CNIOBoringSSL": "NIOSSL"}
IMPORT = re.compile(
    r"^ *(?:@\w+(?:\(\w+\))? +)*(?:(?:public|package|internal|fileprivate|private) )?"
    r"import (?:(?:struct|enum|class|protocol|func|var|let|typealias) )?(\w+)", re.MULTILINE)


def dependencies(target):
    """The names; a product of another package has the name of its module."""
    for dependency in target["dependencies"]:
        yield next(iter(dependency.values()))[0]


def superfluous(name):
    """What the entry names and no file imports. The tests of a room have its dependencies in any case (`room` of Package.swift),
    so theirs are what they have beyond these."""
    target = targets[name]
    granted = {"TestSupport", "TestPackets"} if target["type"] == "test" else set()
    if target["type"] == "test" and name.removesuffix("Tests") in targets:
        room = name.removesuffix("Tests")
        granted |= {room, *dependencies(targets[room])}
    imported = {module for _, module in imports(folder_of(target))} | set(includes(folder_of(target)))
    for dependency in set(dependencies(target)) - granted - imported:
        # An executable cannot be imported: it is there to be run by its path.
        if targets.get(dependency, {}).get("type") != "executable":
            yield dependency


def folder_of(target):
    return pathlib.Path(target.get("path") or f"Tests/{target['name']}")


def imports(folder):
    for file in sorted(folder.rglob("*.swift")):
        for match in IMPORT.finditer(file.read_text()):
            yield file, match[1]


def includes(folder):
    """What a target in C imports: a module's header has the module's name."""
    for file in sorted(folder.rglob("*.c")):
        for header in re.findall(r"^#include <(\w+)\.h>", file.read_text(), re.MULTILINE):
            yield HEADERS.get(header, header)


manifest = json.load(sys.stdin)
targets = {target["name"]: target for target in manifest["targets"]}
wings = {name: pathlib.PurePath(target["path"]).parts[1] for name, target in targets.items()
         if target.get("path", "").startswith("Sources/")}
mistakes = []
for name, wing in wings.items():
    declared = set(dependencies(targets[name]))
    for dependency in sorted(declared & set(targets)):
        if wing in SEES and wings.get(dependency, "Tests") not in SEES[wing]:
            mistakes.append(f"Package.swift: {name} ({wing}) depends on {dependency} ({wings.get(dependency, 'Tests')})")
    for file, module in imports(pathlib.Path(targets[name]["path"])):
        is_foreign = wing == "Core" and targets.get(module, {}).get("type") == "system"
        if module in declared and module in targets and not is_foreign:
            continue
        if module in targets and module not in declared:
            mistakes.append(f"{file}: imports {module}, which its entry in Package.swift does not name")
        elif wing == "Core" and module not in FOREIGN_IN_CORE.get(name, ()):
            mistakes.append(f"{file}: imports {module}, and Core imports only Core")
    for module in set(includes(pathlib.Path(targets[name]["path"]))) & set(HEADERS.values()):
        if wing == "Core" and module not in FOREIGN_IN_CORE.get(name, ()):
            mistakes.append(f"{name}: includes what {module} gives, and Core imports only Core")
for folder in pathlib.Path("Sources").glob("*/*"):
    if folder.name not in wings or pathlib.PurePath(targets[folder.name]["path"]) != folder:
        mistakes.append(f"{folder}: no target of Package.swift")
for name in targets:
    for dependency in superfluous(name):
        mistakes.append(f"Package.swift: {name} depends on {dependency}, which none of its files imports")
for mistake in sorted(set(mistakes)):
    print(mistake, file=sys.stderr)
sys.exit(1 if mistakes else 0)
