// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import LinuxNet
package import Router

/// The destinations that an uplink allows, passed from the process that holds the uplink to the simulator's process: a file in
/// memory, as it may be longer than a message.
package enum DestinationsFile {
    /// Limit of octets that are read.
    private static let maximum = 16 << 20

    package static func make(_ destinations: AllowedDestinations) throws -> Descriptor {
        try MemoryFile.make(Array(JSONEncoder().encode(destinations)))
    }

    /// `nil` if the file holds something else.
    package static func read(_ file: borrowing Descriptor) -> AllowedDestinations? {
        guard let octets = try? MemoryFile.contents(of: file, maximum: maximum) else { return nil }
        return try? JSONDecoder().decode(AllowedDestinations.self, from: Data(octets))
    }
}
