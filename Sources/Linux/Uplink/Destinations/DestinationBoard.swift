// SPDX-License-Identifier: Apache-2.0
package import Router
internal import Synchronization

/// Where the allowed destinations of the moment stand, for the packet paths to read.
package final class DestinationBoard: Sendable {
    private let version = Atomic<UInt64>(1)
    private let destinations: Mutex<AllowedDestinations>

    package init(_ destinations: AllowedDestinations) {
        self.destinations = Mutex(destinations)
    }

    package var current: AllowedDestinations { destinations.withLock { $0 } }

    /// What changed since `seen` (0 at first), `nil` if nothing did. Cheap enough to be asked whenever packets come.
    package func changes(since seen: inout UInt64) -> AllowedDestinations? {
        let version = version.load(ordering: .acquiring)
        if version == seen { return nil }
        seen = version
        return current
    }

    /// False where nothing changes.
    @discardableResult
    package func post(_ destinations: AllowedDestinations) -> Bool {
        let isNew = self.destinations.withLock { old in
            defer { old = destinations }
            return old != destinations
        }
        if isNew { version.add(1, ordering: .releasing) }
        return isNew
    }
}
