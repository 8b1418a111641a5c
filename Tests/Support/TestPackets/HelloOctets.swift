// SPDX-License-Identifier: Apache-2.0
/// A TLS ClientHello to make, with the given contents.
package struct HelloOctets {
    package var serverName: String?
    package var applicationProtocols: [String] = []
    /// Octets of an unknown extension before the others.
    package var padding = 0

    package init(_ serverName: String?, _ applicationProtocols: [String] = [], padding: Int = 0) {
        self.serverName = serverName
        self.applicationProtocols = applicationProtocols
        self.padding = padding
    }

    /// The handshake message.
    package var message: [UInt8] {
        var extensions: [UInt8] = []
        if padding > 0 { extensions += [0, 21] + behindLength2([UInt8](repeating: 0, count: padding)) }
        if let serverName {
            extensions += [0, 0] + behindLength2(behindLength2([0] + behindLength2(Array(serverName.utf8))))
        }
        if !applicationProtocols.isEmpty {
            extensions +=
                [0, 16]
                + behindLength2(behindLength2(applicationProtocols.flatMap { [UInt8($0.utf8.count)] + $0.utf8 }))
        }
        let random = [UInt8](repeating: 5, count: 32)
        let body: [UInt8] = [3, 3] + random + [0] + behindLength2([0x13, 1]) + [1, 0] + behindLength2(extensions)
        return [1, UInt8(body.count >> 16), UInt8(body.count >> 8 & 0xff), UInt8(body.count & 0xff)] + body
    }

    /// The message in records of so many octets.
    package func records(of size: Int = 1 << 14) -> [UInt8] {
        let message = message
        return stride(from: 0, to: message.count, by: size).flatMap { start in
            let fragment = Array(message[start...].prefix(size))
            return [22, 3, 1] + behindLength2(fragment)
        }
    }
}

private func behindLength2(_ octets: [UInt8]) -> [UInt8] {
    [UInt8(octets.count >> 8), UInt8(octets.count & 0xff)] + octets
}
