# SPDX-License-Identifier: Apache-2.0
# Sourced after prerequisites.sh, by what needs containers: the engine, and the image of this checkout.
#
# The image is the Dockerfile's stage `prebuilt`, with the programs of this checkout's release build; the stages that compile them once
# more are for users.
# shellcheck shell=bash

. "$root/scripts/lib/version.sh"
base=docker.io/library/debian:bookworm-slim

# use_engine docker|podman: makes it `engine`. False where it cannot run here.
use_engine() {
    "$1" info >/dev/null 2>&1 || return 1
    engine=$1
    # OCI's format has no place for the health check.
    [ "$engine" != podman ] || export BUILDAH_FORMAT=docker
}

# Whether the image is here that ours stands on; one that is not is pulled.
has_base() {
    "$engine" image inspect "$base" >/dev/null 2>&1 || "$engine" pull --quiet "$base" >/dev/null 2>&1
}

# build_image NAME LOG: from the root of the checkout.
build_image() {
    local command=("$engine" build --quiet --target prebuilt --build-arg VERSION="$version" --tag "$1" .)
    scripts/install .build/container >&2 || return
    "${command[@]}" >"$2" 2>&1 && return
    # Where a build may not start containers, a chroot does.
    export BUILDAH_ISOLATION=chroot
    "${command[@]}" >"$2" 2>&1
}

# octets_over_base NAME: how much larger an image is than its base.
octets_over_base() {
    local name sizes=()
    for name in "$1" "$base"; do sizes+=("$("$engine" image inspect --format '{{.Size}}' "$name")"); done
    echo $((sizes[0] - sizes[1]))
}
