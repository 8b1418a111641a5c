// SPDX-License-Identifier: Apache-2.0
import Evidence
import Sandbox
import Topology

/// The client's environment: the user's, without variables that would lead it around the network, and with the test CA's location.
struct ClientEnvironment {
    private(set) var variables: Environment
    /// The proxy variables that were taken out.
    private(set) var removedProxies: [String] = []

    /// Programs read some of them in capitals, some in small letters, some in both.
    private static let proxies = ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy"].flatMap {
        [$0, $0.uppercased()]
    }
    private static let exceptions = ["no_proxy", "NO_PROXY"]

    /// - Parameters:
    ///   - inherited: the user's environment.
    ///   - trust: where the client finds the test CA; `nil` if it does not need it.
    ///   - proxies: which of the user's proxy variables stay.
    ///   - isSimulated: whether a proxy on this host belongs to the simulated network. Such a proxy is a part of the test, and stays.
    init(
        inherited: Environment, trust: ClientTrust? = nil, proxies: ProxyVariables = .world,
        isSimulated: (_ host: String) -> Bool = { _ in false }
    ) {
        variables = inherited
        let staying = Self.proxies.filter { name in
            guard let value = inherited[name] else { return false }
            if proxies == .keep { return true }
            let end = HostAndPort(ofURL: String(decoding: value.bytes, as: UTF8.self))
            return end.map { isSimulated($0.host) } ?? false
        }
        for name in Self.proxies + (staying.isEmpty && proxies != .keep ? Self.exceptions : [])
        where !staying.contains(name) {
            guard let value = variables[name] else { continue }
            variables[name] = nil
            if !value.bytes.isEmpty { removedProxies.append(name) }
        }
        for (name, path) in trust?.variables ?? [] { variables[name] = OSString(path) }
    }
}
