// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
import ConfigurationText
import Control
import Text
import Wire

/// A user's names for clients: lines of an address and a name, as in /etc/hosts. A device of a LAN has an Ethernet address.
struct ClientNames {
    private var names: [IPv6Address: String] = [:]
    private var devices: [EthernetAddress: String] = [:]

    private static let maximumSize = 16 << 20

    /// No names.
    init() {}

    init(file path: String) throws(CommandFailure) {
        let octets: [UInt8]
        do throws(YAMLFileError) {
            octets = try readFile(path, maximum: Self.maximumSize)
        } catch {
            throw CommandFailure(description: "--names: \(error)", status: .usage)
        }
        for (index, line) in String(decoding: octets, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .enumerated() {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            guard let first = words.first else { continue }
            // A pod may have an IPv4 address as well, or none yet.
            if IPv4Address(first) != nil || first == "<none>" { continue }
            if let device = EthernetAddress(first), words.count >= 2 {
                devices[device] = printable(String(words[1]))
                continue
            }
            guard let address = IPv6Address(first), words.count >= 2 else {
                throw CommandFailure(
                    description:
                        "\(path):\(index + 1): \"\(excerpt(line))\" is no line of an IPv6 or Ethernet address and a name",
                    status: .usage)
            }
            names[address] = printable(String(words[1]))
        }
    }

    func named(_ clients: [GatewayClient]) -> [GatewayClient] {
        clients.map { client in
            var client = client
            let device = client.device.flatMap { EthernetAddress($0.mac) }.flatMap { devices[$0] }
            client.name = device ?? IPv6Address(client.address).flatMap { names[$0] } ?? client.name
            return client
        }
    }
}
