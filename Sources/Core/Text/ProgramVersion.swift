// SPDX-License-Identifier: Apache-2.0
/// The version of the programs, their reports, the API, the packages and the image, defined here alone. scripts/lib/version.sh reads it
/// from here, and scripts/check compares it with CHANGELOG.md.
package enum ProgramVersion {
    package static let current = "0.1.0"
}
