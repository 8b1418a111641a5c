// SPDX-License-Identifier: Apache-2.0
import DNS64
import Wire

/// The servers that a resolver asks for names that it does not know, each as `dig` and Unbound write it; the port is 53 by default:
///
///     forwarders: [192.0.2.53, "2001:db8::53#5353"]
extension YAMLReader {
    /// `nil` if there are none.
    mutating func readForwarders(_ section: YAMLNode) -> ForwarderConfiguration? {
        var servers: [Endpoint] = []
        for item in items(section) {
            guard case .scalar(let text) = item.content, let server = Endpoint(written: text, defaultPort: 53) else {
                report(
                    "a forwarder is an address and perhaps a port, such as 192.0.2.53 or 2001:db8::53#5353, not"
                        + " \(item.kindDescription)", at: item.position)
                continue
            }
            if servers.contains(server) {
                report("the forwarder \(text) stands here already: keep one", at: item.position)
            } else if servers.count == maximumForwarders {
                report("there are at most \(maximumForwarders) forwarders", at: item.position)
            } else {
                servers.append(server)
            }
        }
        return servers.isEmpty ? nil : ForwarderConfiguration(servers: servers)
    }
}

private let maximumForwarders = 16
