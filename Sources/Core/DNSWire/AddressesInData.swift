// SPDX-License-Identifier: Apache-2.0
public import Wire

extension RecordData {
    /// The address of an A or AAAA record.
    public var address: IPAddress? {
        switch self {
        case .a(let address): .ipv4(address)
        case .aaaa(let address): .ipv6(address)
        case .ns, .cname, .dname, .ptr, .mx, .soa, .other: nil
        }
    }

    /// The IPv4 addresses that an HTTPS or SVCB record gives as hints (RFC 9460 §7.3).
    ///
    ///     +----------+------------+------------+
    ///     | priority | TargetName | parameters |
    ///     +----------+------------+------------+
    public var ipv4Hints: [IPv4Address] {
        guard case .other(let type, let octets) = self, type == .https || type == .svcb else { return [] }
        var reader = RecordReader(octets.span)
        guard (try? reader.takeInteger16()) != nil, (try? reader.takeName()) != nil,
            let parameters = ServiceParameter.decode(octets[reader.offset...])
        else { return [] }
        return parameters.filter { $0.key == ServiceParameter.Key.ipv4Hint }.flatMap { parameter in
            stride(from: 0, to: parameter.value.count - 3, by: 4).map { start in
                IPv4Address(bits: parameter.value[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) })
            }
        }
    }
}
