// SPDX-License-Identifier: Apache-2.0
/// An active fault of the DNS64.
package struct FaultEntry: Codable, Hashable, Sendable {
    /// Counts up from 1 as faults are added; never reused.
    package var id: UInt64
    /// In presentation format: `*.shop.test AAAA any any rcode SERVFAIL`.
    package var fault: String

    package init(id: UInt64, fault: String) {
        self.id = id
        self.fault = fault
    }
}
