// SPDX-License-Identifier: Apache-2.0
import AttachServer
import DNSServer
import Simulator
import Translation

/// The part of a simulator that the daemon's control API needs: `ClientNetworks`, and the state that it inspects and changes.
protocol ChangeableNetworks: ClientNetworks {
    /// The DNS64 of all networks.
    var dns: DNSService { get }
    /// The reason why the `nat64` network cannot have this prefix; `nil` if it can.
    func objection(to pref64: Pref64) -> String?
    /// Changes the prefix of the `nat64` network, for new clients and for those that `connections` returns.
    /// - Parameter connections: returns the attached clients. Called when new clients already get the new prefix, so that no client is
    ///   missed.
    func change(to pref64: Pref64, for connections: () -> [any AttachedConnection])
}

extension Simulator: ChangeableNetworks {
    func change(to pref64: Pref64, for connections: () -> [any AttachedConnection]) {
        // `Connection` is the only `AttachedConnection` of a `Simulator`.
        change(to: pref64) { connections().compactMap { $0 as? Connection } }
    }
}
