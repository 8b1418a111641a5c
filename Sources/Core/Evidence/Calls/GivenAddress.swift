// SPDX-License-Identifier: Apache-2.0
package import Wire

/// An IPv6 address that a client was given as text, whether it used it or not.
package struct GivenAddress: Codable, Hashable, Sendable {
    package var address: IPv6Address
    package var origin: AddressOrigin

    package init(_ address: IPv6Address, from origin: AddressOrigin) {
        self.address = address
        self.origin = origin
    }
}
