// SPDX-License-Identifier: Apache-2.0
package import Topology

/// A failure that is as it should be: the network lacks what the test is for.
package struct ExpectedFailure: Hashable, Sendable {
    package var networks: [NetworkSchedule]
    package var reason: String

    package init(on networks: [NetworkSchedule], reason: String) {
        self.networks = networks
        self.reason = reason
    }
}
