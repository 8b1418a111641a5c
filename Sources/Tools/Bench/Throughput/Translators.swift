// SPDX-License-Identifier: Apache-2.0
/// The compared translators, each with its own client namespace; all share the world.
final class Translators {
    let ours: SimulatedFixture
    private var ways: [Peer: any Way] = [:]
    /// Why some peers cannot be measured.
    private(set) var absences: [Peer: String] = [:]

    /// The translators with which ours is compared.
    enum Peer: String, CaseIterable {
        case tayga
        case plain = "LeastTranslator"
        case joined = "LeastTranslator, joined"
    }

    /// Moves the process into a network namespace for good, so there is only one such value.
    init(_ sticks: Sticks) throws(BenchFailure) {
        ours = try SimulatedFixture(Entry.inheritance)
        for peer in Peer.allCases {
            do throws(BenchFailure) {
                ways[peer] = try Self.way(of: peer, sticks)
            } catch {
                absences[peer] = "\(error)"
            }
        }
    }

    private static func way(of peer: Peer, _ sticks: Sticks) throws(BenchFailure) -> any Way {
        switch peer {
        case .tayga: try TaygaFixture()
        case .plain: try LeastFixture(sticks.translator, "plain", number: 1)
        case .joined: try LeastFixture(sticks.translator, "joined", number: 2)
        }
    }

    /// `nil` if the peer is absent.
    func way(of peer: Peer) -> (any Way)? { ways[peer] }

    deinit { ours.stop() }
}
