# SPDX-License-Identifier: Apache-2.0
"""Writes the manual of a package: packaged_pages.py FOLDER, such as share/doc/ipv6check

A package has the pages and not the whole repository. A link to a page leads to its place in the package; a link to anything else becomes
a URL of the repository, at the tag of this version.
"""
import glob
import os
import shutil
import sys

from links import LINK, published, read, root, segments


def contents():
    """Where each file of the repository is in the package."""
    os.chdir(root)
    places = {"README.md": "README.md", "CHANGELOG.md": "CHANGELOG.md"}
    for path in glob.glob("docs/*.md") + glob.glob("docs/*.svg") + glob.glob("docs/pictures/*") + glob.glob("docs/rules/*.md") + glob.glob("docs/examples/**", recursive=True):
        if os.path.isfile(path):
            places[path] = path.removeprefix("docs/")
    places |= {path: os.path.basename(path) for path in ["docs/openapi.yaml", *glob.glob("docs/*-schema.json")]}
    # The README of the repository has its name.
    places["docs/README.md"] = "index.md"
    places["fixtures/projects/shop/ipv6check.yaml"] = "examples/ipv6check.yaml"
    return places


def packaged(link, source, places):
    path, hash, anchor = link.partition("#")
    if not path or "://" in path or path.startswith("mailto:"):
        return link
    target = os.path.normpath(os.path.join(os.path.dirname(source), path))
    if target in places:
        path = os.path.relpath(places[target], os.path.dirname(places[source]))
    else:
        path = published("tree" if os.path.isdir(target) else "blob") + target
    return path + hash + anchor


def main(folder):
    folder = os.path.abspath(folder)
    places = contents()
    for source, place in sorted(places.items()):
        path = os.path.join(folder, place)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not source.endswith(".md"):
            shutil.copyfile(source, path)
            continue
        with open(path, "w", encoding="utf-8") as file:
            for lines, is_prose in segments(read(source)):
                file.write(LINK.sub(lambda link: link[1] + packaged(link[2], source, places) + link[3], lines) if is_prose else lines)


main(*sys.argv[1:])
