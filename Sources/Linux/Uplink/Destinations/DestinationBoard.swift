// SPDX-License-Identifier: Apache-2.0
package import Router
internal import Synchronization

/// The currently allowed destinations, shared with the packet paths.
package final class DestinationBoard: Sendable {
    private let version = Atomic<UInt64>(1)
    private let destinations: Mutex<AllowedDestinations>

    package init(_ destinations: AllowedDestinations) {
        self.destinations = Mutex(destinations)
    }

    package var current: AllowedDestinations { destinations.withLock { $0 } }

    /// The destinations if they have changed since `seen` (0 at first), otherwise `nil`. Cheap enough to be called whenever packets arrive.
    package func changes(since seen: inout UInt64) -> AllowedDestinations? {
        let version = version.load(ordering: .acquiring)
        if version == seen { return nil }
        seen = version
        return current
    }

    /// Returns false if nothing has changed.
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
