import Sandbox

/// The client's environment: the user's, less what would lead it around the network, plus where the test CA is.
struct ClientEnvironment {
    private(set) var variables: Environment
    /// The proxy variables that were taken out.
    private(set) var removedProxies: [String] = []

    /// Programs read some of them in capitals, some in small letters, some in both.
    private static let proxies = ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"].flatMap {
        [$0, $0.uppercased()]
    }

    /// - Parameters:
    ///   - inherited: the user's environment.
    ///   - trust: where the client finds the test CA; `nil` if it has no need of it.
    init(inherited: Environment, trust: ClientTrust? = nil) {
        variables = inherited
        for name in Self.proxies {
            guard let value = variables[name] else { continue }
            variables[name] = nil
            if !value.bytes.isEmpty { removedProxies.append(name) }
        }
        for (name, path) in trust?.variables ?? [] { variables[name] = OSString(path) }
    }
}
