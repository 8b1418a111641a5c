// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Translation
import Wire

/// The part of ip6.arpa that belongs to a prefix: a DNS64 answers for it by itself (RFC 6147 §5.3.1).
///
///     b.9.f.f.4.6.0.0.ip6.arpa and zeros in front         the apex, with SOA and NS
///     a.0.4.b.9.f.f.4.6.0.0.ip6.arpa, …                   names above addresses: they exist, and have no data (RFC 8020)
///     32 nibbles                                          an address, whose PTR is that of the IPv4 address in it
struct ReverseZone: Hashable, Sendable {
    let prefix: Pref64
    let apex: DomainName
    /// The name of its server, and the mailbox of the person responsible.
    private let server: DomainName
    private let contact: DomainName

    /// Seconds: the same limit as for records synthesised without a SOA record.
    static let ttl = AddressSynthesis.maximumTTLWithoutSOA

    private init(_ prefix: Pref64, _ policy: SynthesisPolicy) {
        self.prefix = prefix
        apex = ReverseName.zone(of: prefix)
        // By default, as in the empty zones of RFC 6303 §3.
        server = policy.reverseServer ?? apex
        contact = policy.reverseContact ?? DomainName(["nobody", "invalid"])
    }

    /// The zones of a policy's prefixes and of the well-known one.
    static func all(_ policy: SynthesisPolicy) -> [ReverseZone] {
        guard !policy.clauses.isEmpty else { return [] }
        var prefixes: [Pref64] = []
        for prefix in policy.clauses.map(\.prefix) + [.wellKnown] where !prefixes.contains(prefix) {
            prefixes.append(prefix)
        }
        return prefixes.map { ReverseZone($0, policy) }
    }

    enum Place {
        case apex
        /// The name is above an address.
        case above
        case address(IPv4Address)
        /// No address can have this name.
        case nowhere
    }

    /// The kind of a name in the zone; `nil` if it is outside.
    func place(of name: DomainName) -> Place? {
        guard name.isSubdomain(of: apex) else { return nil }
        if name.labelCount == apex.labelCount { return .apex }
        if let address = ReverseName.ipv6Address(of: name) {
            return prefix.extract(address).map { .address($0) } ?? .nowhere
        }
        let nibbles = name.labels.dropLast(ReverseName.ipv6Zone.labelCount)
        return nibbles.count < 32 && nibbles.allSatisfy(ReverseName.isNibble) ? .above : .nowhere
    }

    func soa(ttl: UInt32 = Self.ttl) -> ResourceRecord {
        ResourceRecord(
            name: apex, ttl: min(ttl, Self.ttl),
            data: .soa(
                StartOfAuthority(
                    primary: server, mailbox: contact, serial: 1, refresh: 3600, retry: 1200, expire: 604_800,
                    minimum: Self.ttl)))
    }

    /// The data at the apex, or the denial of other types.
    func apexAnswer(_ type: RecordType) -> Answer {
        let records = [soa(), ResourceRecord(name: apex, ttl: Self.ttl, data: .ns(server))]
        let found = records.filter { type == .any || $0.type == type }
        return found.isEmpty ? denial(.noError) : Answer(answer: found, source: .ownZone)
    }

    /// - Parameter ttl: seconds for which the absence may be cached.
    func denial(_ code: ResponseCode, ttl: UInt32 = Self.ttl) -> Answer {
        Answer(code, authority: [soa(ttl: ttl)], source: .ownZone)
    }
}

// MARK: - Resolution

extension Resolution {
    /// Starts a query for a name under one of the prefixes; `nil` for any other name, which "MUST be processed as […] any other query".
    mutating func startReverse() -> Action? {
        let (name, type) = (query.question.name, query.question.type)
        guard name.isSubdomain(of: ReverseName.ipv6Zone) else { return nil }
        for zone in ReverseZone.all(policy) {
            // The server's own data come first (RFC 6147 §5.3.1, first option). Those of a world's zone above the prefix's do not count:
            // the prefix's zone is the deeper one.
            if let owner = query.reverseOwner, owner.isSubdomain(of: zone.apex) { continue }
            let place = zone.place(of: name)
            if !policy.isDNS64 {
                guard case .address(let address) = place, IPv4OnlyName.addresses.contains(address) else { continue }
            }
            switch place {
            case nil: continue
            case .apex: return .respond(Resolved(answer: zone.apexAnswer(type), rule: .reverse))
            case .above: return .respond(Resolved(answer: zone.denial(.noError), rule: .reverse))
            case .nowhere: return .respond(Resolved(answer: zone.denial(.nameError), rule: .reverse))
            case .address(let address):
                state = .lookingUpPTR(address, zone: zone)
                // With `aliasToAnything`, there is a CNAME for every type; otherwise that depends on the PTR record behind it.
                let isAlias = policy.behaviour.reverse == .aliasToAnything && type != .cname
                return .lookUp(Question(name: ReverseName.name(of: address), type: isAlias ? type : .ptr))
            }
        }
        return nil
    }

    func receivePTR(_ outcome: Outcome, for address: IPv4Address, in zone: ReverseZone) -> Resolved {
        guard case .answered(var answer) = outcome else { return Resolved(answer: .serverFailure, rule: .reverse) }
        answer.isAuthentic = false
        let (name, type) = (query.question.name, query.question.type)
        let isSpecial = answer.source == .specialUse
        let rule = isSpecial ? AnswerRule.specialUseReverse : .reverse
        let hasPTR = answer.answer.contains { $0.type == .ptr }
        let ttl = answer.answer.first?.ttl ?? ReverseZone.ttl
        let alias = ResourceRecord(name: name, ttl: ttl, data: .cname(ReverseName.name(of: address)))

        // RFC 8880 §7.2: the reverse names of the two addresses under the prefix have PTR records themselves.
        if !isSpecial, policy.behaviour.reverse == .aliasToAnything {
            answer.answer = type == .cname ? [alias] : [alias] + answer.answer
            if type == .cname { answer.authority = [] }
            return Resolved(answer: answer, rule: rule)
        }
        // "the DNS64 nameserver SHOULD ensure that there is RDATA at the PTR of the corresponding IN-ADDR.ARPA name": without it there is
        // no alias.
        guard hasPTR else {
            guard answer.responseCode == .noError || answer.responseCode == .nameError else {
                return Resolved(answer: Answer(answer.responseCode, source: answer.source), rule: rule)
            }
            var denial = zone.denial(answer.responseCode, ttl: answer.negativeTTL ?? ReverseZone.ttl)
            denial.source = answer.source
            return Resolved(answer: denial, rule: rule)
        }
        let isDirect = isSpecial || policy.behaviour.reverse == .direct
        switch type {
        case .ptr, .any:
            if isDirect {
                answer.answer = answer.answer.filter { $0.type == .ptr }
                for index in answer.answer.indices { answer.answer[index].name = name }
            } else {
                answer.answer.insert(alias, at: 0)
            }
            return Resolved(answer: answer, rule: rule)
        case .cname where !isDirect:
            return Resolved(answer: Answer(answer: [alias], source: answer.source), rule: rule)
        default:
            // Aliases are synthesised only for PTR (§5.3.3); the name still exists.
            var denial = zone.denial(.noError, ttl: ttl)
            denial.source = answer.source
            return Resolved(answer: denial, rule: rule)
        }
    }
}
