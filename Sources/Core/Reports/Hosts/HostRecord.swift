// SPDX-License-Identifier: Apache-2.0
import Evidence

/// A `ContactedHost` for programs.
struct HostRecord: Encodable, Sendable {
    struct End: Encodable, Sendable {
        let transport: String
        /// Absent of ICMP.
        let port: UInt16?
    }

    struct Place: Encodable, Sendable {
        /// As the terminal report has it.
        let text: String
        private(set) var file: String?
        private(set) var line: Int?
        /// Which of the user's dependencies made the call for that line; absent if none did.
        private(set) var dependency: String?

        init(_ site: CallSite) {
            text = caller(site)
            (file, line, dependency) = (site.file, site.line, site.dependency)
        }
    }

    /// The name, or the address where the client had no name.
    let host: String
    let literal: Bool
    /// `ipv6` (of its own), `nat64`, `clat` and `ipv4`; none of a host that was not reached.
    let reachedBy: [String]
    /// Likewise in the control run; absent where that did not reach it, or was not made.
    let reachedOnDualStackBy: [String]?
    let ends: [End]
    /// Whether it has no IPv6 of its own that was seen, and its packets need a translator.
    let needsIPv4: Bool
    /// Whether only the control run on dual-stack came as far as this.
    let controlOnly: Bool
    let namedAt: [Place]

    init(_ host: ContactedHost, limit: Int) {
        self.host = host.identity.text
        literal = host.isLiteral
        reachedBy = Self.words(host.ways)
        reachedOnDualStackBy = host.controlWays.isEmpty ? nil : Self.words(host.controlWays)
        ends = host.ends.prefix(limit).map { End(transport: $0.transport.rawValue, port: $0.port == 0 ? nil : $0.port) }
        needsIPv4 = host.needsIPv4
        controlOnly = host.isOfControlAlone
        namedAt = host.sites.prefix(limit).map(Place.init)
    }

    private static func words(_ ways: Set<ContactedHost.Way>) -> [String] {
        ContactedHost.Way.allCases.filter(ways.contains).map(\.rawValue)
    }
}
