// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import LinuxNet
package import Router

/// What an uplink lets through, on its way from who holds the uplink to the simulator's process: a file in memory, for it may be
/// longer than a message.
package enum DestinationsFile {
    /// Octets that are read at most.
    private static let maximum = 16 << 20

    package static func make(_ destinations: AllowedDestinations) throws -> Descriptor {
        try MemoryFile.make(Array(JSONEncoder().encode(destinations)))
    }

    /// `nil` if it holds something else.
    package static func read(_ file: borrowing Descriptor) -> AllowedDestinations? {
        guard let octets = try? MemoryFile.contents(of: file, maximum: maximum) else { return nil }
        return try? JSONDecoder().decode(AllowedDestinations.self, from: Data(octets))
    }
}
