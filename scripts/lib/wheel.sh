#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the wheel of packaging/pytest-ipv6check in a folder: wheel.sh FOLDER
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/prerequisites.sh"
. "$root/scripts/lib/version.sh"
project=$root/packaging/pytest-ipv6check
grep -qxF "version = \"$version\"" "$project/pyproject.toml" || die "packaging/pytest-ipv6check/pyproject.toml is not of version $version" 1
fetch_python flit_core==3.9.0
PYTHONPATH=$root/.build/python python3 -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$1" "$project" >&2
