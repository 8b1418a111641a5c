// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import RouterThread
import Topology
import Sandbox

/// The links of all places to the world, and the addresses behind them: the part that needs the right to administer the network.
package struct WorldLinks: Sendable {
    let links: [WorldLink]

    /// Makes them in this process's network namespace.
    package init(_ configuration: SimulatorConfiguration) throws(SimulatorError) {
        do throws(SandboxError) {
            var links: [WorldLink] = []
            for number in 0..<configuration.places {
                links.append(
                    try WorldLink(configuration, place: ClientSlot(number, on: configuration.links.client)))
            }
            self.links = links
        } catch {
            throw .network(error)
        }
    }
}
