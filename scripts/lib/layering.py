"""Holds the wings of the house (Package.swift): what a target imports is what its entry in the manifest names, and what its
wing may see. The compiler checks the first as well, but only what it builds, and only where nothing hides it.

usage: swift package dump-package | layering.py"""

import json
import pathlib
import re
import sys

# What a wing may see of our own; a target of Tools and a test sees all.
SEES = {
    "Core": {"Core"},
    "Linux": {"Core", "Linux"},
    "Service": {"Core", "Linux", "Service"},
    "Commands": {"Core", "Linux", "Service", "Commands"},
}
# Core does no I/O: what it takes from elsewhere stands here, with the reason.
FOREIGN_IN_CORE = {
    "DNS64": {"Crypto"},  # the digests of DNSSEC
    "Reports": {"FoundationEssentials"},  # JSON
}
IMPORT = re.compile(
    r"^ *(?:@\w+(?:\(\w+\))? +)*(?:(?:public|package|internal|fileprivate|private) )?"
    r"import (?:(?:struct|enum|class|protocol|func|var|let|typealias) )?(\w+)", re.MULTILINE)


def dependencies(target):
    for dependency in target["dependencies"]:
        yield next(iter(dependency.values()))[0]


def imports(folder):
    for file in sorted(folder.rglob("*.swift")):
        for match in IMPORT.finditer(file.read_text()):
            yield file, match[1]


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
        if module in declared and module in targets:
            continue
        if module in targets:
            mistakes.append(f"{file}: imports {module}, which its entry in Package.swift does not name")
        elif wing == "Core" and module not in FOREIGN_IN_CORE.get(name, ()):
            mistakes.append(f"{file}: imports {module}, and Core imports only Core")
for folder in pathlib.Path("Sources").glob("*/*"):
    if folder.name not in wings or pathlib.PurePath(targets[folder.name]["path"]) != folder:
        mistakes.append(f"{folder}: no target of Package.swift")
for mistake in sorted(set(mistakes)):
    print(mistake, file=sys.stderr)
sys.exit(1 if mistakes else 0)
