// SPDX-License-Identifier: Apache-2.0
import CallTracing
import ConfigurationText
import DNSWire
import Evidence
import Sandbox
import Simulator
import Text
import Topology
import Wire

/// The plan of a client for a place that is reserved for it.
struct PlannedClient {
    let plan: ClientPlan
    /// Changes that were made around the client, a sentence each.
    let notes: [String]

    /// - Parameter hostName: the machine's own; empty if it has none.
    init(_ context: RunContext, at place: ReservedSlot, hostName: String) {
        let (prepared, inheritance) = (context.prepared, context.inheritance)
        let (preloading, frames, isNetworkHeld) = (context.preloading, context.frames, context.isNetworkHeld)
        let trust = place.authority.map {
            ClientTrust(authority: $0, environment: inheritance.environment, program: prepared.program)
        }
        let environment = ClientEnvironment(
            inherited: inheritance.environment, trust: trust, proxies: prepared.request.proxies,
            isSimulated: prepared.world.has)
        var variables = preloading.environment(
            environment.variables, prefixes: isNetworkHeld ? nil : place.prefixes)
        let goFlags = prepared.request.caches == .avoid ? GoFlags.avoidingTestCache(inheritance.environment) : nil
        if let goFlags { variables[GoFlags.name] = goFlags }
        if context.request.isTraced {
            variables.prepend(Goroutine.setting, to: "GODEBUG", separator: UInt8(ascii: ","))
        }
        plan = ClientPlan(
            program: prepared.program, arguments: prepared.arguments,
            environment: frames?.environment(variables, beside: preloading) ?? variables,
            network: place.network,
            files: ClientFiles.nameService(
                resolvers: place.resolvers, hasIPv4Loopback: place.network.hasIPv4Loopback, hostName: hostName,
                prefixes: isNetworkHeld ? place.prefixes : nil)
                + (trust?.files ?? []) + preloading.files + (frames?.files(beside: preloading) ?? []),
            socketName: context.hasCollector ? Preloading.socketName : nil,
            recordsClosedSockets: context.recordsClosedSockets,
            servedPorts: prepared.request.hostPorts.map(\.port) + (prepared.hasCanaries ? [LoopbackCanary.port] : []),
            isNetworkHeld: isNetworkHeld, isTraced: context.request.isTraced,
            leavesTerminal: context.request.leavesTerminal,
            inheritance: inheritance)
        let isGoTest = baseName("\(prepared.program)") == "go" && prepared.arguments.dropFirst().contains("test")
        notes =
            Self.note(on: environment.removedProxies) + (trust?.notes ?? [])
            + (goFlags != nil && isGoTest ? [Self.noteOnGoFlags] : [])
    }

    private static let noteOnGoFlags =
        "\(GoFlags.addition) was added to \(GoFlags.name), so that go test takes no result from its cache (--caches keep leaves it out)."

    private static func note(on proxies: [String]) -> [String] {
        if proxies.isEmpty { return [] }
        let verb = proxies.count == 1 ? "was" : "were"
        return ["\(proxies.joined(separator: ", ")) \(verb) removed from the client's environment."]
    }
}

extension World {
    /// Ranges that no real host is in (RFC 5737).
    private static let documentation = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"].compactMap {
        IPv4Prefix($0)
    }

    /// Whether a host, by its name or its address, can only be meant as one of the simulated network.
    fileprivate func has(_ host: String) -> Bool {
        guard let address = IPAddress(host) else {
            let name = try? DomainName(host)
            return hosts.contains { $0.name == name }
        }
        if case .ipv4(let ipv4) = address, Self.documentation.contains(where: { $0.contains(ipv4) }) { return true }
        return hosts.contains { $0.addresses.contains(address) }
    }
}
