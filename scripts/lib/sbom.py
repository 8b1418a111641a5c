# SPDX-License-Identifier: Apache-2.0
"""What is in the programs, as CycloneDX 1.5: sbom.py VERSION SECONDS PACKAGE=VERSION …

The packages of Package.resolved of which the linker got something, and what is given: archives of the system, and Swift's runtime. With --list,
lines for people.
"""
import datetime
import json
import pathlib
import re
import sys
import uuid

root = pathlib.Path(__file__).resolve().parents[2]


def linked():
    """The packages' modules in the program, by the list of objects that the linker got."""
    objects = (root / ".build/release/ipv6check.product/Objects.LinkFileList").read_text()
    return set(re.findall(r"/(\w+)\.build/", objects))


def components(given):
    modules = linked()
    pins = json.loads((root / "Package.resolved").read_text())["pins"]
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        # A few targets have their sources elsewhere; a package has others beside them.
        sources = root / ".build/checkouts" / pathlib.PurePath(pin["location"]).stem / "Sources"
        if not any((sources / module).is_dir() for module in modules):
            continue
        location = pin["location"].removesuffix(".git").removeprefix("https://")
        yield {
            "type": "library", "bom-ref": pin["identity"], "name": pin["identity"], "version": pin["state"]["version"],
            "purl": f"pkg:swift/{location}@{pin['state']['version']}",
            "externalReferences": [{"type": "vcs", "url": pin["location"], "comment": pin["state"]["revision"]}],
        }
    for item in given:
        name, version = item.split("=", 1)
        yield {"type": "library", "bom-ref": name, "name": name, "version": version}


def main():
    words = [word for word in sys.argv[1:] if word != "--list"]
    version, seconds, given = words[0], int(words[1]), words[2:]
    found = list(components(given))
    if "--list" in sys.argv:
        for component in found:
            print(f" {component['name']} {component['version']}")
        return
    time = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {
            "timestamp": time,
            "component": {"type": "application", "bom-ref": "ipv6check", "name": "ipv6check", "version": version,
                          "licenses": [{"license": {"id": "Apache-2.0"}}]},
        },
        "components": found,
        "dependencies": [{"ref": "ipv6check", "dependsOn": [component["bom-ref"] for component in found]}],
    }
    # The same contents have the same number.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    print(json.dumps({**document, "serialNumber": f"urn:uuid:{number}"}, indent=2, sort_keys=True))


main()
