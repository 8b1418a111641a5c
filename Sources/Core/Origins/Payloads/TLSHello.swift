/// The server's name in a TLS ClientHello (RFC 8446 §4.1.2, RFC 6066 §3).
enum TLSHello {
    /// Whether it begins with a record of a handshake: what follows is ciphertext sooner or later.
    static func begins(_ octets: [UInt8]) -> Bool { octets.count > 2 && octets[0] == 22 && octets[1] == 3 }

    /// `nil` where there is none, or not all of it is there.
    static func serverName(_ octets: [UInt8]) -> String? {
        guard begins(octets), octets.count > 5, octets[5] == 1 else { return nil }
        // record (5), handshake (4), version (2), random (32)
        var reader = OctetReader(octets, at: 43)
        guard reader.skip(lengthOctets: 1), reader.skip(lengthOctets: 2), reader.skip(lengthOctets: 1),
            reader.number(2) != nil
        else { return nil }
        while let type = reader.number(2), let length = reader.number(2) {
            if type == 0 {
                // list (2), type (1), name (2)
                guard reader.number(2) != nil, reader.number(1) == 0, let count = reader.number(2) else { return nil }
                return reader.octets(count).map { plain($0, limit: 255) }
            }
            guard reader.octets(length) != nil else { return nil }
        }
        return nil
    }
}

/// Reads numbers and octets one after the other, as far as they are there.
private struct OctetReader {
    private let all: [UInt8]
    private var position: Int

    init(_ octets: [UInt8], at position: Int) {
        all = octets
        self.position = position
    }

    mutating func number(_ count: Int) -> Int? {
        octets(count).map { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    mutating func octets(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, position <= all.count, count <= all.count - position else { return nil }
        defer { position += count }
        return all[position..<(position + count)]
    }

    mutating func skip(lengthOctets: Int) -> Bool {
        guard let count = number(lengthOctets) else { return false }
        return octets(count) != nil
    }
}
