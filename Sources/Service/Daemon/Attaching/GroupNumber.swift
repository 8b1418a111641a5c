// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The number of a group that is given by name or number; `nil` if this machine has no group of that name.
func groupNumber(_ group: String) -> UInt32? {
    if let number = UInt32(group) { return number }
    guard let entry = unsafe getgrnam(group) else { return nil }
    return unsafe entry.pointee.gr_gid
}
