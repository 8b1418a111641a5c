import Sandbox
import Simulator

/// What a client is started with in a place that was reserved for it.
struct PlannedClient {
    let plan: ClientPlan
    /// What was changed around the client, a sentence each.
    let notes: [String]

    /// - Parameters:
    ///   - isTraced: whether its system calls are to be traced.
    ///   - hostName: the machine's own; empty where it has none.
    init(
        _ prepared: Preparation, at place: ReservedPlace, preloading: Preloading, isTraced: Bool,
        inheritance: Inheritance, hostName: String
    ) {
        let trust = place.authority.map {
            ClientTrust(authority: $0, environment: inheritance.environment, program: prepared.program)
        }
        let environment = ClientEnvironment(inherited: inheritance.environment, trust: trust)
        plan = ClientPlan(
            program: prepared.program, arguments: prepared.arguments,
            environment: preloading.environment(environment.variables, prefixes: place.prefixes),
            network: place.network,
            files: ClientFiles.nameService(resolvers: place.resolvers, hostName: hostName)
                + (trust?.files ?? []) + preloading.files,
            socketName: preloading.isActive ? Preloading.socketName : nil, isTraced: isTraced, inheritance: inheritance)
        notes = Self.note(on: environment.removedProxies) + (trust?.notes ?? [])
    }

    private static func note(on proxies: [String]) -> [String] {
        if proxies.isEmpty { return [] }
        let verb = proxies.count == 1 ? "was" : "were"
        return ["\(proxies.joined(separator: ", ")) \(verb) removed from the client's environment."]
    }
}
