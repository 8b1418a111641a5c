// SPDX-License-Identifier: Apache-2.0
public import Wire

/// The number of packets dropped for each reason, and a description of the first one.
///
/// The closed list of reasons bounds its size: only the first packet of each is described, and allocates.
public struct DropLog: Sendable {
    public private(set) var counters = DropCounters()
    private var examples = [String](repeating: "", count: DropReason.allCases.count)

    public init() {}

    public mutating func record(_ reason: DropReason, _ packet: borrowing PacketBuffer) {
        if counters[reason] == 0 { examples[Int(reason.rawValue)] = PacketDescription.of(packet.bytes) }
        counters.count(reason)
    }

    /// The reasons for which packets were dropped, in the order of the closed list.
    public var entries: [Drop] {
        DropReason.allCases.filter { counters[$0] > 0 }.map {
            Drop(reason: $0, count: counters[$0], example: examples[Int($0.rawValue)])
        }
    }
}
