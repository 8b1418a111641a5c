// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

@testable import Router

/// Routers in a row, joined by links that are queues in memory, on a clock that the test turns: a client at one end, a server at the
/// other.
///
///     client ── router 0 ── router 1 ── … ── server
///
/// Every hop takes its time: a packet that was sent at one tick arrives at the next.
final class VirtualNetwork {
    /// One end of a queue.
    private struct Flight {
        let octets: [UInt8]
        let due: Instant
        /// Which router; -1 is the client, `count` the server.
        let target: Int
        /// By which of its links it arrives.
        let link: Link
    }

    private final class Port: RouterOutput {
        let number: Int
        unowned let network: VirtualNetwork

        init(_ number: Int, _ network: VirtualNetwork) {
            self.number = number
            self.network = network
        }

        func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
            network.launch(packet.contents, from: number, by: link)
            return nil
        }

        func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {
            network.drops.append((number, reason))
        }
    }

    /// A box, because an array holds no noncopyable values.
    private final class Node {
        var router: Router
        init(_ router: consuming Router) { self.router = router }
    }

    static let hop = Duration.milliseconds(1)

    private(set) var now = Instant.zero
    private var nodes: [Node] = []
    private var flights: [Flight] = []
    var drops: [(router: Int, reason: DropReason)] = []
    private(set) var toClient: [[UInt8]] = []
    private(set) var toServer: [[UInt8]] = []
    /// The server's answer; nil for silence.
    var server: ([UInt8]) -> [UInt8]? = { _ in nil }

    init(_ configurations: [RouterConfiguration]) throws {
        for (number, configuration) in configurations.enumerated() {
            nodes.append(Node(try Router(configuration, now: now, output: Port(number, self))))
        }
    }

    subscript(_ number: Int) -> Counters? { nodes[number].router.translatorCounters }

    /// The client sends a packet, and the clock runs until nothing moves any more.
    func send(_ packet: borrowing PacketBuffer) {
        flights.append(Flight(octets: packet.contents, due: now + Self.hop, target: 0, link: .client))
        settle()
    }

    /// Lets the clock run on.
    func pass(_ duration: Duration) {
        now = now + duration
        for node in nodes { node.router.advance(to: now) }
        settle()
    }

    private func launch(_ octets: [UInt8], from number: Int, by link: Link) {
        let target = link == .client ? number - 1 : number + 1
        flights.append(Flight(octets: octets, due: now + Self.hop, target: target, link: link.other))
    }

    private func settle() {
        while !flights.isEmpty {
            let flight = flights.removeFirst()
            now = max(now, flight.due)
            switch flight.target {
            case -1: toClient.append(flight.octets)
            case nodes.count:
                toServer.append(flight.octets)
                if let answer = server(flight.octets) {
                    flights.append(
                        Flight(octets: answer, due: now + Self.hop, target: nodes.count - 1, link: .world))
                }
            default:
                var packet = PacketBuffer(flight.octets)
                nodes[flight.target].router.receive(&packet, from: flight.link, at: now)
            }
        }
    }
}
