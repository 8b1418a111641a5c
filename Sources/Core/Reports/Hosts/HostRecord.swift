// SPDX-License-Identifier: Apache-2.0
import Evidence

/// A `ContactedHost` in JSON reports.
struct HostRecord: Encodable, Sendable {
    struct End: Encodable, Sendable {
        let transport: String
        /// Absent for ICMP.
        let port: UInt16?
    }

    struct Place: Encodable, Sendable {
        /// The text in the terminal report.
        let text: String
        private(set) var file: String?
        private(set) var line: Int?
        /// The user's dependency that made the call for that line; absent if the line made it itself.
        private(set) var dependency: String?

        init(_ site: CallSite) {
            text = caller(site)
            (file, line, dependency) = (site.file, site.line, site.dependency)
        }
    }

    /// The name, or the address if the client had no name.
    let host: String
    let literal: Bool
    /// `ipv6` (the host's own), `nat64`, `clat` and `ipv4`; empty for a host that was not reached.
    let reachedBy: [String]
    /// The same for the control run; absent if that did not reach it, or was not made.
    let reachedOnDualStackBy: [String]?
    let ends: [End]
    /// Whether no IPv6 of its own was seen, so that its packets need a translator.
    let needsIPv4: Bool
    /// Whether only the control run on dual-stack named it or connected to it.
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
