// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Wire

/// A resolver between hostile clients and hostile forwarders, with faults and time: every query is settled once, every exchange is closed,
/// and all output can be parsed.
func fuzzDNS64(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    var life = ResolverLife(try choices.resolverConfiguration(), seed: UInt64(choices.octet()))
    for _ in 0..<100 {
        try life.step(&choices)
        if choices.isEmpty { break }
    }
    try life.end()
}
