// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

/// A NAT64 whose tables fill quickly, with packets from both sides that answer each other, and time. The invariants hold whatever happens.
func fuzzNAT64(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    let configuration = choices.configuration()
    let nat: NAT64
    do { nat = try NAT64(configuration, seed: UInt64(choices.octet()), now: .zero) } catch {
        throw BrokenInvariant("a configuration is refused: \(error)")
    }
    var life = NAT64Life(nat)
    // Longer sequences are slower and find nothing more.
    for step in 1...100 {
        try life.step(&choices)
        if step % 10 == 0 { try life.checkTables() }
        if choices.isEmpty { break }
    }
    try life.checkTables()
    try life.end()
}

extension Choices {
    fileprivate mutating func configuration() -> NAT64Configuration {
        var configuration = NAT64Configuration(
            prefixes: [.wellKnown], pool: Array(Scene.pool.prefix(1 + below(2))),
            errors: ErrorPolicy(ipv6Source: Scene.router6, ipv4Source: Scene.router4))
        let prefix = prefix()
        if prefix != .wellKnown { configuration.prefixes = oneIn(2) ? [prefix] : [.wellKnown, prefix] }
        configuration.exemptIPv4 = oneIn(8) ? [] : Scene.exempt
        configuration.translation = translationOptions()

        let switches = octet()
        configuration.filtering = switches & 1 == 0 ? .endpointIndependent : .addressDependent
        configuration.pooling = switches & 2 == 0 ? .paired : .pairedWherePossible
        configuration.preservesPortParity = switches & 4 == 0
        configuration.refusesIPv4InitiatedTCP = switches & 0x38 == 0x38
        configuration.refreshesFromIPv4 = switches & 0x40 == 0
        configuration.zeroChecksumFragments = switches & 0x80 == 0 ? .reassemble : .drop

        configuration.limits.sessions = pick([40, 3, 1, 0])
        configuration.limits.bindings = pick([30, 2, 40, 1])
        configuration.limits.bindingsPerHost = pick([nil, 2, 0])
        configuration.limits.sessionsPerHost = pick([nil, 3, 1])
        configuration.limits.storedSYNs = pick([4, 1, 0])
        configuration.limits.fragmentedDatagrams = pick([6, 1, 2, 0])
        configuration.limits.fragmentOctets = pick([16 * 512, 512, 100_000, 0])
        configuration.errors.burst = pick([1_000, 1, 0])
        configuration.errors.perSecond = pick([1_000, 1])
        if oneIn(4) {
            configuration.staticBindings = [
                StaticBinding(
                    pick([.udp, .tcp, .icmp]), TransportAddress6(Scene.hosts[0], 80),
                    TransportAddress4(Scene.pool[0], 80))
            ]
        }
        return configuration
    }
}
