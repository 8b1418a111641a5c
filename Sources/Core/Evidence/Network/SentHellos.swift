// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The TLS ClientHellos with which the connections of a flow began.
package struct SentHellos: Codable, Hashable, Sendable {
    package struct Repeated: Codable, Hashable, Sendable {
        package var hello: ClientHello
        package var count = 1

        package init(_ hello: ClientHello, count: Int = 1) {
            self.hello = hello
            self.count = count
        }
    }

    /// Each different one once, in the order of their first appearance.
    package private(set) var each: [Repeated] = []
    /// Those that were different, and not kept.
    package private(set) var omitted = 0

    /// The limit of different names for one address and port.
    package static let limit = 8

    package init() {}

    /// - Parameter hasRoom: whether a different one may be kept.
    /// - Returns: whether it is kept as another one.
    package mutating func add(_ hello: ClientHello, hasRoom: Bool = true) -> Bool {
        if let place = each.firstIndex(where: { $0.hello == hello }) {
            each[place].count += 1
            return false
        }
        guard hasRoom, each.count < Self.limit else {
            omitted += 1
            return false
        }
        each.append(Repeated(hello))
        return true
    }
}
