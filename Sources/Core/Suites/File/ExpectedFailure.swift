// SPDX-License-Identifier: Apache-2.0
package import Topology

/// A failure that is correct: the network lacks a feature that the test needs.
package struct ExpectedFailure: Hashable, Sendable {
    package var networks: [NetworkSchedule]
    package var reason: String

    package init(on networks: [NetworkSchedule], reason: String) {
        self.networks = networks
        self.reason = reason
    }
}
