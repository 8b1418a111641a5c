// SPDX-License-Identifier: Apache-2.0
package import DNS64
package import LinuxNet

extension SocketAddress {
    package init(_ endpoint: Endpoint) { self.init(endpoint.address, port: endpoint.port) }
}

extension Endpoint {
    package init(_ address: SocketAddress) { self.init(address.host, port: address.port) }
}
