// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Text
import Wire

extension RecordedWorld {
    /// The world file, which `World(yaml:name:)` can read.
    /// - Parameter source: the origin of the recording, for the first line.
    package func text(recordedFrom source: String) -> String {
        var lines = ["# Recorded by ipv6check from: \(printable(source))"]
        lines += ["version: 1", "", hosts.isEmpty ? "hosts: {}" : "hosts:"]
        for host in hosts { lines += Self.lines(of: host) }
        if !records.isEmpty {
            lines += ["", "records:"]
            lines += records.map { "  - " + Self.quoted("\($0.name) \($0.type) \($0.data)") }
        }
        if !omissions.isEmpty || !absentNames.isEmpty { lines.append("") }
        if !absentNames.isEmpty {
            lines.append("# Asked for, and not there:")
            lines += absentNames.map { "#   \($0)" }
        }
        if !omissions.isEmpty {
            lines.append("# Left out:")
            lines += omissions.map { "#   \($0.what): \($0.reason)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of host: Host) -> [String] {
        var lines = ["  \(name(host.name)):" + (host.isUnnamed ? "    # the client had this address, and no name" : "")]
        lines.append("    addresses: [" + host.addresses.map { address("\($0)") }.joined(separator: ", ") + "]")
        if host.services.isEmpty { return lines }
        if host.services.allSatisfy({ !$0.isStandIn && $0.port == $0.kind.defaultPort }) {
            return lines + ["    services: [" + host.services.map(\.kind.word).joined(separator: ", ") + "]"]
        }
        lines.append("    services:")
        for service in host.services {
            lines.append(
                "      - \(service.kind.word): \(service.port)"
                    + (service.isStandIn
                        ? "    # a stand-in: it sends back what comes; a program can answer (run:)" : ""))
        }
        return lines
    }

    /// The name without the final dot, as people write it.
    private static func name(_ name: DomainName) -> String {
        let text = String(name.description.dropLast())
        let isPlain = text.utf8.allSatisfy { byte in
            byte.isASCIILetterOrDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "_")
        }
        return isPlain && text.utf8.first?.isASCIILetterOrDigit == true ? text : quoted(text)
    }

    private static func address(_ text: String) -> String {
        text.hasPrefix(":") || text.hasSuffix(":") ? quoted(text) : text
    }

    /// In single quotes, inside which only a quote has a meaning. Presentation format is printable ASCII.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}

extension RecordedWorld {
    /// Its contents in one line.
    package var summary: String {
        let services = hosts.reduce(0) { $0 + $1.services.count }
        let counts = [(hosts.count, "host"), (services, "service"), (records.count, "further record")]
        return counts.map { counted($0.0, $0.1) }.joined(separator: ", ")
            + (omissions.isEmpty ? "" : "; \(omissions.count) left out, see its end")
    }
}
