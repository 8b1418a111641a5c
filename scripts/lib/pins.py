# SPDX-License-Identifier: Apache-2.0
"""Whether each package was resolved at the version that Package.swift names: pins.py MANIFEST RESOLVED

MANIFEST is the output of `swift package dump-package`. Every package is named, those that others need as well: a release is to be built from the same
sources whenever it is built, and no resolved file is committed.
"""
import json
import sys


def named(manifest):
    for dependency in manifest["dependencies"]:
        for source in dependency["sourceControl"]:
            version = source["requirement"].get("exact", ["no exact version"])[0]
            yield source["identity"], version


def main():
    with open(sys.argv[1], encoding="utf-8") as manifest, open(sys.argv[2], encoding="utf-8") as resolved:
        wanted = dict(named(json.load(manifest)))
        found = {pin["identity"]: pin["state"].get("version", "no version") for pin in json.load(resolved)["pins"]}
    mistakes = [
        f"{name}: Package.swift names {wanted.get(name, 'nothing')}, and {found.get(name, 'nothing')} was resolved"
        for name in sorted(wanted | found)
        if wanted.get(name) != found.get(name)
    ]
    if mistakes:
        sys.exit("pins: " + "\n".join(mistakes))


main()
