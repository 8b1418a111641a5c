# SPDX-License-Identifier: Apache-2.0
"""An image as an OCI archive that is the same whenever the image is: oci_archive.py NAME SECONDS <docker-archive >archive.tar

Reads what `podman save --format docker-archive` writes. Beside OCI's index it has Docker's manifest.json, which names the same
blobs: `docker load` before 25 reads that one alone. The configuration stays Docker's, as OCI's has no place for the health check.
"""
import gzip
import hashlib
import io
import json
import sys
import tarfile

MEDIA = "application/vnd.oci.image."


def text(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def descriptor(kind, data, **more):
    return {"mediaType": MEDIA + kind, "digest": "sha256:" + hashlib.sha256(data).hexdigest(), "size": len(data), **more}


def path(described):
    return "blobs/" + described["digest"].replace(":", "/")


def contents(source, name):
    member = source.extractfile(name)
    if member is None:
        sys.exit(f"oci_archive.py: {name} is no file")
    return member.read()


def main():
    name, seconds = sys.argv[1], int(sys.argv[2])
    # A tar is read by name below, which a stream does not permit.
    source = tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read()))
    [described] = json.loads(contents(source, "manifest.json"))
    configuration = contents(source, described["Config"])
    identities = json.loads(configuration)["rootfs"]["diff_ids"]
    blobs = {}

    def keep(kind, data, **more):
        found = descriptor(kind, data, **more)
        blobs[path(found)] = data
        return found

    layers = []
    for layer, identity in zip(described["Layers"], identities, strict=True):
        data = contents(source, layer)
        if "sha256:" + hashlib.sha256(data).hexdigest() != identity:
            sys.exit(f"oci_archive.py: {layer} is not what the configuration says")
        layers.append(keep("layer.v1.tar+gzip", gzip.compress(data, 9, mtime=0)))
    config = keep("config.v1+json", configuration)
    manifest = keep("manifest.v1+json", text({
        "schemaVersion": 2, "mediaType": MEDIA + "manifest.v1+json", "config": config, "layers": layers,
    }))
    tag = name.rpartition(":")[2]
    parsed = json.loads(configuration)
    entry = {
        **manifest, "annotations": {"io.containerd.image.name": name, "org.opencontainers.image.ref.name": tag},
        "platform": {"architecture": parsed["architecture"], "os": parsed["os"]},
    }
    files = blobs | {
        "oci-layout": text({"imageLayoutVersion": "1.0.0"}),
        "index.json": text({"schemaVersion": 2, "mediaType": MEDIA + "index.v1+json", "manifests": [entry]}),
        "manifest.json": text([{"Config": path(config), "RepoTags": [name], "Layers": [path(layer) for layer in layers]}]),
    }
    with tarfile.open(fileobj=sys.stdout.buffer, mode="w|", format=tarfile.USTAR_FORMAT) as archive:
        for folder in ("blobs", "blobs/sha256"):
            member = tarfile.TarInfo(folder)
            member.type, member.mode, member.mtime = tarfile.DIRTYPE, 0o755, seconds
            archive.addfile(member)
        for file in sorted(files):
            member = tarfile.TarInfo(file)
            member.size, member.mode, member.mtime = len(files[file]), 0o644, seconds
            archive.addfile(member, io.BytesIO(files[file]))


main()
