package import DNS64
import DNSWire
import Translation
import Wire

// The blocks of a scenario that say what the server knows and how it is configured.

extension ScenarioFile {
    /// What a server that is to play its part must know, and how it serves which clients.
    package func configuration() throws -> ResolverConfiguration {
        var records: [ResourceRecord] = []
        var zones: [DomainName] = [.root]
        var networks: [ClientNetwork] = []
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

    private func fault(_ line: (line: Int, text: String)) throws -> Fault {
        do {
            return try Fault(presentation: line.text)
        } catch {
            throw failure(line.line, "\(error)")
        }
    }

    func record(_ line: (line: Int, text: String)) throws -> ResourceRecord {
        do {
            return try ResourceRecord(presentation: line.text, defaultTTL: 300)
        } catch {
            throw failure(line.line, "\(error)")
        }
    }

    private func network(_ block: Block) throws -> ClientNetwork {
        guard let clients = AddressMatchList(block.argument.isEmpty ? ["any"] : block.argument.words) else {
            throw failure(block.line, "not a list of networks: \(block.argument)")
        }
        var policy = SynthesisPolicy.plain
        var profile = Profile.rfc
        for line in block.body {
            let words = line.text.words
            let arguments = Array(words.dropFirst())
            func list() throws -> AddressMatchList {
                guard let list = AddressMatchList(arguments) else { throw failure(line.line, "not a list of networks") }
                return list
            }
            func names() throws -> NameSet {
                arguments == ["all"] ? .all : .below(try arguments.map { try DomainName($0) })
            }
            switch words[0] {
            case "prefix":
                policy.clauses.append(.init(prefix: try Pref64(arguments.first ?? "")))
                policy.clauses[policy.clauses.count - 1].exclude = profile.exclude
                continue
            case "profile":
                guard let named = Profile(rawValue: arguments.first ?? ""), policy.clauses.isEmpty else {
                    throw failure(
                        line.line, "a profile stands before the first prefix, and is one of docs/dns64-configuration.md"
                    )
                }
                profile = named
                policy.resemble(profile)
            case "reverse-server": policy.reverseServer = try DomainName(arguments.first ?? "")
            case "reverse-contact": policy.reverseContact = try DomainName(arguments.first ?? "")
            case "exempt": policy.exemptIPv4 = arguments.compactMap { IPv4Prefix($0) }
            case "ignore-aaaa": policy.ignoredAAAA = try names()
            case "exclude-names": policy.excludedNames = try names()
            case "suppress-a": policy.suppressedA = try names()
            case "extended-error": policy.hasExtendedError = true
            default:
                guard let last = policy.clauses.indices.last else {
                    throw failure(line.line, "\"\(words[0])\" belongs to a prefix, which must stand before it")
                }
                switch words[0] {
                case "clients": policy.clauses[last].clients = try list()
                case "mapped": policy.clauses[last].mapped = try list()
                case "exclude": policy.clauses[last].exclude = try list()
                case "suffix":
                    try policy.clauses[last].append(suffix: IPv6Address(arguments.first ?? "") ?? .unspecified)
                case "recursive-only": policy.clauses[last].recursiveOnly = true
                case "break-dnssec": policy.clauses[last].breakDNSSEC = true
                default: throw failure(line.line, "unknown setting \"\(words[0])\"")
                }
            }
        }
        return ClientNetwork(clients: clients, policy: policy)
    }
}

extension String {
    var words: [String] { split(separator: " ").map(String.init) }
}
