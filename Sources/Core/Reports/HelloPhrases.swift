// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text
import Wire

/// `TLS for shop.test (h2, http/1.1)`
func phrase(_ hello: ClientHello) -> String {
    let name = hello.serverName.map { "TLS for \($0)" } ?? "TLS without a server name"
    return hello.applicationProtocols.isEmpty ? name : "\(name) (\(hello.applicationProtocols.joined(separator: ", ")))"
}

/// The TLS ClientHellos of a flow's connections, each different one once.
func phrases(_ hellos: SentHellos) -> [String] {
    let told = hellos.each.map { phrase($0.hello) + ($0.count > 1 ? " × \($0.count)" : "") }
    return hellos.omitted == 0 ? told : told + ["and \(hellos.omitted) with other names"]
}

extension ClientHello {
    /// Whether it names this host as its server.
    func names(_ host: String?) -> Bool {
        guard let serverName, let host else { return false }
        return serverName.lowercased() == host.lowercased()
    }
}

/// A `ClientHello` in JSON reports, with its count.
struct HelloRecord: Encodable, Sendable {
    /// Absent if the client sent no server name.
    let serverName: String?
    let applicationProtocols: [String]
    let count: Int

    init(_ repeated: SentHellos.Repeated) {
        serverName = repeated.hello.serverName
        applicationProtocols = repeated.hello.applicationProtocols
        count = repeated.count
    }
}
