# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts: the version, from its one place.

version=$(sed -n 's/.*static let current = "\([^"]*\)".*/\1/p' "$root/Sources/Core/Text/ProgramVersion.swift")
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[a-z0-9.]+)?$ ]] || die "Sources/Core/Text/ProgramVersion.swift has no version"
