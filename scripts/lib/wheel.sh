# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts, after prerequisites.sh and version.sh.

# make_wheel FOLDER: makes the wheel of packaging/pytest-ipv6check there.
make_wheel() {
    local project=$root/packaging/pytest-ipv6check
    # shellcheck disable=SC2154 # version.sh has it
    grep -qxF "version = \"$version\"" "$project/pyproject.toml" || die "packaging/pytest-ipv6check/pyproject.toml is not of version $version" 1
    fetch_python flit_core==3.9.0
    PYTHONPATH=$root/.build/python python3 -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$1" "$project" >&2
}
