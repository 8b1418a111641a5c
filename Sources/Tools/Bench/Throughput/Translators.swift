// SPDX-License-Identifier: Apache-2.0
/// The translators that are compared, each with its client namespace; the world is the same for all.
final class Translators {
    let ours: SimulatedFixture
    private var ways: [Peer: any Way] = [:]
    /// Why those that cannot be measured cannot.
    private(set) var absences: [Peer: String] = [:]

    /// Who translates beside us.
    enum Peer: String, CaseIterable {
        case tayga
        case plain = "LeastTranslator"
        case joined = "LeastTranslator, joined"
    }

    /// Moves the process into a network namespace, for good: there is one such value.
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

    /// `nil` where it is absent.
    func way(of peer: Peer) -> (any Way)? { ways[peer] }

    deinit { ours.stop() }
}
