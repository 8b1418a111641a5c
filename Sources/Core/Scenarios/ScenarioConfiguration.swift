// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
package import DNS64
import DNSWire
import Wire

// The blocks of a scenario that define the server's records and configuration.

extension ScenarioFile {
    /// The records of a server under test, and its policy for each client.
    package func configuration() throws -> ResolverConfiguration {
        var records: [ResourceRecord] = []
        var zones: [DomainName] = [.root]
        var networks: [ServedNetwork] = []
        var forwarders: ForwarderConfiguration?
        var faults: [Fault] = []
        for block in blocks {
            switch block.keyword {
            case "world":
                let apexes = block.argument.words.filter { $0 != "none" }
                zones = block.argument.isEmpty ? zones : try apexes.map { try DomainName($0) }
                records += try block.body.map { try record($0) }
            case "network": networks.append(try network(block))
            case "forwarders":
                forwarders = ForwarderConfiguration(
                    servers: block.argument.words.compactMap { IPAddress($0) }.map { Endpoint($0, port: 53) })
            case "faults": faults += try block.body.map { try fault($0) }
            default: break
            }
        }
        var configuration = ResolverConfiguration(store: RecordStore(records, zones: zones), networks: networks)
        configuration.forwarders = forwarders
        configuration.faults = faults
        return configuration
    }

    private func fault(_ line: Line) throws -> Fault {
        do {
            return try Fault(presentation: line.text)
        } catch {
            throw failure(line.line, "\(error)")
        }
    }

    func record(_ line: Line) throws -> ResourceRecord {
        do {
            return try ResourceRecord(presentation: line.text, defaultTTL: 300)
        } catch {
            throw failure(line.line, "\(error)")
        }
    }

    private func network(_ block: Block) throws -> ServedNetwork {
        guard let clients = AddressMatchList(block.argument.isEmpty ? ["any"] : block.argument.words) else {
            throw failure(block.line, "not a list of networks: \(block.argument)")
        }
        return ServedNetwork(clients: clients, policy: try SynthesisPolicy(yaml: Array(block.text.utf8), name: name))
    }
}

extension String {
    var words: [String] { split(separator: " ").map(String.init) }
}
