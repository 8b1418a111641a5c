// SPDX-License-Identifier: Apache-2.0
/// Times of a flow's packets, since the client was connected.
package struct FlowTimes: Codable, Hashable, Sendable {
    package var first: Duration
    /// The far end's first packet.
    package var answer: Duration?
    package var last: Duration
    /// TCP: when either side last closed a connection, or reset it.
    package var end: Duration?

    package init(first: Duration, answer: Duration? = nil, last: Duration, end: Duration? = nil) {
        self.first = first
        self.answer = answer
        self.last = last
        self.end = end
    }
}
