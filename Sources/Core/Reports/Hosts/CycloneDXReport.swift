// SPDX-License-Identifier: Apache-2.0
import Evidence
package import FoundationEssentials
import Text

/// The hosts of a client as the services of a CycloneDX bill of materials (`--hosts FILE.json`), version 1.6 of
/// https://cyclonedx.org/docs/1.6/json/.
package struct CycloneDXReport: Sendable {
    private let document: Document

    package init(_ report: RunReport) { document = Document(report) }

    /// UTF-8 text, indented, keys in alphabetical order, with a final newline. Without a time or a serial number, so that two runs with the
    /// same hosts give the same text.
    package func encoded() throws -> Data { try encodedForPeople(document) }

    private struct Document: Encodable, Sendable {
        let bomFormat = "CycloneDX"
        let specVersion = "1.6"
        let version = 1
        let metadata: Metadata
        let services: [Service]
        let dependencies: [Dependency]

        init(_ report: RunReport) {
            metadata = Metadata(component: Component(command: report.command))
            services = report.hosts.map { Service($0, network: report.run.network) }
            dependencies = [Dependency(ref: Component.reference, dependsOn: services.map(\.reference))]
        }
    }

    private struct Metadata: Encodable, Sendable {
        struct Tools: Encodable, Sendable {
            struct Tool: Encodable, Sendable {
                let type = "application"
                let name = "ipv6check"
                let version = ProgramVersion.current
            }
            let components = [Tool()]
        }
        let tools = Tools()
        let component: Component
    }

    /// The client.
    private struct Component: Encodable, Sendable {
        static let reference = "client"
        let type = "application"
        let reference = Self.reference
        let name: String
        let description: String

        init(command: [String]) {
            name = command.first.map { baseName($0) } ?? ""
            description = abbreviated(command)
        }

        enum CodingKeys: String, CodingKey {
            case type, name, description
            case reference = "bom-ref"
        }
    }

    private struct Service: Encodable, Sendable {
        struct Property: Encodable, Sendable {
            let name: String
            let value: String
        }

        let reference: String
        let name: String
        /// Absent if the client sent nothing to it.
        let endpoints: [String]?
        let properties: [Property]

        init(_ host: ContactedHost, network: Network) {
            let record = HostRecord(host, limit: .max)
            reference = "host:\(record.host)"
            name = record.host
            let authority = record.host.contains(":") ? "[\(record.host)]" : record.host
            endpoints =
                record.ends.isEmpty
                ? nil : record.ends.map { "\($0.transport)://\(authority)\($0.port.map { ":\($0)" } ?? "")" }
            let reached = record.reachedBy.isEmpty ? ["nothing"] : record.reachedBy
            properties =
                [
                    Property(name: "ipv6check:network", value: record.controlOnly ? "dual-stack" : network.rawValue),
                    Property(name: "ipv6check:needs-ipv4", value: "\(record.needsIPv4)"),
                    Property(name: "ipv6check:literal", value: "\(record.literal)"),
                ] + reached.map { Property(name: "ipv6check:reached-by", value: $0) }
                + record.namedAt.map { Property(name: "ipv6check:named-at", value: $0.text) }
                + Set(record.namedAt.compactMap(\.dependency)).sorted()
                .map { Property(name: "ipv6check:dependency", value: $0) }
        }

        enum CodingKeys: String, CodingKey {
            case name, endpoints, properties
            case reference = "bom-ref"
        }
    }

    private struct Dependency: Encodable, Sendable {
        let ref: String
        let dependsOn: [String]
    }
}
