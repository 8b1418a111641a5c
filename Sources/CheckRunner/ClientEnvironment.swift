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

    /// Where OpenSSL, curl, Python's requests and Node.js look for certificates.
    private static let certificateVariables = [
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
    ]

    /// - Parameters:
    ///   - inherited: the user's environment.
    ///   - bundle: the path at which the client finds the certificates; nil where it has no need of them.
    init(inherited: Environment, bundle: String?) {
        variables = inherited
        for name in Self.proxies {
            guard let value = variables[name] else { continue }
            variables[name] = nil
            if !value.bytes.isEmpty { removedProxies.append(name) }
        }
        guard let bundle else { return }
        for name in Self.certificateVariables { variables[name] = OSString(bundle) }
    }
}
