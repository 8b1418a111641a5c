# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts: the version and the repository on GitHub, each from its one place.

version=$(sed -n 's/.*static let current = "\([^"]*\)".*/\1/p' "$root/Sources/Core/Text/ProgramVersion.swift")
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[a-z0-9.]+)?$ ]] || die "Sources/Core/Text/ProgramVersion.swift has no version"
# shellcheck disable=SC2034 # for the scripts that source this
repository=$(<"$root/packaging/repository")
