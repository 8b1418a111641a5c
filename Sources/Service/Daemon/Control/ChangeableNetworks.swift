// SPDX-License-Identifier: Apache-2.0
import AttachServer
import DNSServer
import Simulator
import Translation

/// Networks that the control API can inspect and change, beside giving places on them.
protocol ChangeableNetworks: ClientNetworks {
    var dns: DNSService { get }
    /// Why the network cannot have this prefix, `nil` if it can.
    func objection(to pref64: Pref64) -> String?
    /// Gives the `nat64` network another prefix, for these clients too.
    /// - Parameter connections: called after the change, when new clients have the new prefix already.
    func change(to pref64: Pref64, for connections: () -> [any AttachedConnection])
}

extension Simulator: ChangeableNetworks {
    func change(to pref64: Pref64, for connections: () -> [any AttachedConnection]) {
        change(to: pref64) { connections().compactMap { $0 as? Connection } }
    }
}
