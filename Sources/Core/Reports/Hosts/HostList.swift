// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Text
import Wire

extension RunReport {
    /// The hosts that the client named or connected to.
    var hosts: [ContactedHost] {
        let here = runs.all.filter { $0.network == run.network && $0.timeline == run.timeline }
        return ContactedHosts(here, control: runs.control).hosts
    }
}

/// The bill of materials as a list (`--hosts`): one line per host.
package enum HostList {
    package static func render(_ report: RunReport) -> String {
        let hosts = report.hosts
        let rows = hosts.map { host in
            [host.identity.text, reached(host), phrase(host.ends), place(host)]
        }
        let table = [["HOST", "REACHED BY", "AT", "NAMED AT"]] + rows
        let widths = (0..<3).map { column in table.map { $0[column].count }.max() ?? 0 }
        let lines = table.map { row in
            zip(row, widths).map { $0.padded(to: $1) + "  " }.joined() + row[3] + "\n"
        }
        let needing = hosts.count(where: \.needsIPv4)
        return
            "\(counted(hosts.count, "host")) of \(abbreviated(report.command)) on \(report.run.network.rawValue), of which \(needing) \(plural(needing, "needs", "need")) IPv4\n\n"
            + lines.joined()
    }

    private static func reached(_ host: ContactedHost) -> String {
        let here = host.ways.isEmpty ? "not reached" : words(host.ways)
        return host.controlWays.isEmpty || !host.ways.isEmpty
            ? here : "\(here) (\(words(host.controlWays)) on dual-stack)"
    }

    private static func words(_ ways: Set<ContactedHost.Way>) -> String {
        ContactedHost.Way.allCases.filter(ways.contains).map(\.words).joined(separator: ", ")
    }

    private static func phrase(_ ends: [ContactedHost.End]) -> String {
        enumerated(ends.map(\.text), limit: 4, conjunction: "")
    }

    private static func place(_ host: ContactedHost) -> String {
        let places = host.sites.map { site in
            site.dependency.map { "\(caller(site)) (\($0))" } ?? caller(site)
        }
        return enumerated(places, limit: 3)
    }
}

extension ContactedHost.Way {
    fileprivate var words: String {
        switch self {
        case .ipv6: "IPv6"
        case .nat64: "NAT64"
        case .clat: "CLAT"
        case .ipv4: "IPv4"
        }
    }
}

extension ContactedHost.Identity {
    var text: String {
        switch self {
        case .name(let name): name.withoutFinalDot
        case .address(let address): "\(address)"
        }
    }
}

extension ContactedHost.End {
    /// `tcp 443`
    var text: String { port == 0 ? transport.rawValue : "\(transport.rawValue) \(port)" }
}
