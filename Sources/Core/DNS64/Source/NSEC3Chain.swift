// SPDX-License-Identifier: Apache-2.0
import Digests
import DNSWire

/// The NSEC3 records of a zone (RFC 5155): each contains the next hash.
struct NSEC3Chain: Sendable {
    /// Parameters of the hash (RFC 5155 §3.1, §4.2), which NSEC3PARAM and the front of NSEC3 have in common.
    private struct Parameters: Hashable, Sendable {
        var iterations: UInt16
        var salt: [UInt8]

        /// `nil` for any hash but SHA-1, the only one that is defined.
        init?(_ record: ResourceRecord) {
            // | algorithm (1) | flags (1) | iterations (2) | salt length (1) | salt |
            guard case .other(_, let octets) = record.data, octets.count >= 5, octets[0] == 1,
                octets.count >= 5 + Int(octets[4])
            else { return nil }
            iterations = UInt16(octets[2]) << 8 | UInt16(octets[3])
            salt = Array(octets[5..<(5 + Int(octets[4]))])
        }

        /// RFC 5155 §5: IH(salt, x, k), of the name in its canonical form.
        func hash(_ name: DomainName) -> [UInt8] {
            var octets = Digest.sha1(name.canonicalWire + salt)
            for _ in 0..<iterations { octets = Digest.sha1(octets + salt) }
            return octets
        }
    }

    private struct Link: Sendable {
        var hash: [UInt8]
        /// The NSEC3 record and its signatures.
        var records: [ResourceRecord]
    }

    private let parameters: Parameters
    /// Sorted by hash.
    private let links: [Link]

    /// If there are several chains, uses the one of the NSEC3PARAM record (RFC 5155 §4). `nil` if there is none.
    init?(_ records: [ResourceRecord], parameters: ResourceRecord?) {
        let first = records.first { $0.type == .nsec3 }
        guard let parameters = (parameters ?? first).flatMap({ Parameters($0) }) else { return nil }
        var links: [[UInt8]: Link] = [:]
        for record in records where record.type == .nsec3 && Parameters(record) == parameters {
            guard let hash = Self.hash(ofOwner: record.name) else { continue }
            links[hash, default: Link(hash: hash, records: [])].records.append(record)
        }
        for record in records where record.coveredType != nil {
            if let hash = Self.hash(ofOwner: record.name) { links[hash]?.records.append(record) }
        }
        guard !links.isEmpty else { return nil }
        self.parameters = parameters
        self.links = links.values.sorted { $0.hash.lexicographicallyPrecedes($1.hash) }
    }

    private static func hash(ofOwner name: DomainName) -> [UInt8]? {
        name.labels.first.flatMap { BitEncoding.base32Hex.decode($0) }
    }

    func records(_ link: Int) -> [ResourceRecord] { links[link].records }

    func link(matching name: DomainName) -> Int? {
        let hash = parameters.hash(name)
        return position(hash).flatMap { links[$0].hash == hash ? $0 : nil }
    }

    /// The link whose gap contains the name's hash; the last one's gap wraps around to the first.
    func link(covering name: DomainName) -> Int? {
        position(parameters.hash(name)) ?? links.indices.last
    }

    /// The closest encloser proof (RFC 5155 §7.2.1): the closest ancestor has a record, and the next closer name has none.
    func encloser(of name: DomainName, in apex: DomainName) -> [Int?] {
        var nextCloser = name
        for ancestor in name.ancestors.dropFirst() {
            guard ancestor.isSubdomain(of: apex) else { break }
            if let link = link(matching: ancestor) { return [link, self.link(covering: nextCloser)] }
            nextCloser = ancestor
        }
        return []
    }

    /// The last link whose hash is not behind this one.
    private func position(_ hash: [UInt8]) -> Int? {
        var (low, high) = (0, links.count)
        while low < high {
            let middle = (low + high) / 2
            if hash.lexicographicallyPrecedes(links[middle].hash) { high = middle } else { low = middle + 1 }
        }
        return low > 0 ? low - 1 : nil
    }
}

extension DomainName {
    /// The name at or above this one that is a child of `ancestor`.
    func ancestor(below ancestor: DomainName) -> DomainName? {
        ancestors.first { $0.parent == ancestor }
    }
}
