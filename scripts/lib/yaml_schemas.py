# SPDX-License-Identifier: Apache-2.0
"""Holds the YAML files of the project, and those on its pages, against the schemas for editors (docs/*-schema.json): yaml_schemas.py

yaml_schemas.py SCHEMA FILE holds one file against one of them.
"""
import json
import pathlib
import re
import sys
import warnings

import jsonschema
import yaml

from page_blocks import blocks, pages, root

warnings.filterwarnings("ignore", category=DeprecationWarning)
docs = root / "docs"
# The keys by which a file shows what it is.
KINDS = {
    "suite-schema.json": {"tests"},
    "world-schema.json": {"hosts", "records", "zones", "forwarders", "dnssec", "dns64"},
    "daemon-schema.json": {"world", "prefix", "nat64", "uplink", "clients", "control", "log"},
}


class Reader(yaml.SafeLoader):
    """Scalars as editors have them, by YAML 1.2: no dates, 1:30 is text, and so is the key `on`."""

    yaml_implicit_resolvers = {
        letter: [item for item in items if item[0].rsplit(":", 1)[-1] in ("float", "null", "merge")]
        for letter, items in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


Reader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|false)$"), list("tf"))
Reader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))


def kind(document):
    # The world of a suite and the dns64 of a daemon decide nothing.
    for name in ("suite-schema.json", "daemon-schema.json", "world-schema.json"):
        if KINDS[name] & document.keys():
            return name
    return None


def mistakes(document, name):
    schema = json.loads((docs / name).read_text())
    resolver = jsonschema.RefResolver((docs / name).as_uri(), schema)
    validator = jsonschema.Draft202012Validator(schema, resolver=resolver)
    return [f"/{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in validator.iter_errors(document)]


def documents():
    """Each with its place: the files of a version, and the blocks of pages that are whole files."""
    for folder in ("fixtures", "packaging"):
        for path in sorted((root / folder).rglob("*.yaml")):
            text = path.read_text()
            if re.search(r"^version: 1$", text, re.MULTILINE):
                yield str(path.relative_to(root)), text
    for page in pages:
        for block in blocks(page):
            text = "\n".join(block.lines)
            if re.match(r"(#.*\n)*version: 1\n", text):
                yield block.place, text


def main(arguments):
    if arguments:
        name, path = arguments
        found = mistakes(yaml.load(pathlib.Path(path).read_text(), Reader), name)
        print("\n".join(found))
        return 1 if found else 0
    failures, counts = 0, {name: 0 for name in KINDS}
    for place, text in documents():
        document = yaml.load(text, Reader)
        name = kind(document)
        if name is None:
            continue
        counts[name] += 1
        for mistake in mistakes(document, name):
            failures += 1
            print(f"{place}: {name} has nothing for {mistake}")
    print(", ".join(f"{count} files for {name}" for name, count in counts.items()))
    return 1 if failures or not all(counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
