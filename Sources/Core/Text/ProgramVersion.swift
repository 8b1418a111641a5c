// SPDX-License-Identifier: Apache-2.0
/// The version of the programs, in its one place: what they say, what is in their reports, in the API, in the packages and on the
/// image. scripts/lib/version.sh reads it from here, and scripts/check compares it with CHANGELOG.md.
package enum ProgramVersion {
    package static let current = "0.1.0"
}
