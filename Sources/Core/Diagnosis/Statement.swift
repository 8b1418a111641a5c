// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Evidence
import Text
package import Translation
package import Topology
package import Wire

/// A sentence about observed facts, which keep their types in it: the reports decide how to write a name, an address or a place in the
/// client's code.
///
///     "\(name): the world has no such name (NXDOMAIN)."
package struct Statement: Hashable, Sendable, ExpressibleByStringInterpolation {
    package enum Part: Hashable, Sendable {
        case words(String)
        /// Text from the client, untrusted.
        case text(String)
        case name(DomainName)
        case address(IPAddress)
        /// A protocol and its port: `tcp 80`, `icmp`.
        case service(Flow.Transport, port: UInt16)
        case site(CallSite)
        case function(LookupFunction)
        case type(RecordType)
        case responseCode(ResponseCode)
        case drop(Drop)
        /// A call with its outcome and place.
        case call(TracedCall, at: CallSite)
        /// The origin of an address.
        case origin(AddressOrigin)
        /// The origin with its preposition: `from agent.conf:3`, `probably from agent.conf:3`.
        case source(AddressOrigin)
        case duration(Duration)
        /// An amount of payload.
        case octets(UInt64)
    }

    package private(set) var parts: [Part]

    /// The places of the client's code that it names.
    var sites: [CallSite] {
        parts.compactMap { part in
            switch part {
            case .site(let site), .call(_, at: let site): site
            default: nil
            }
        }
    }

    /// Whether it names a line of the client's code.
    var namesLine: Bool { sites.contains { $0.line != nil } }

    package init(stringLiteral value: String) {
        parts = [.words(value)]
    }

    package init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.words(literal)) }
        }

        package mutating func appendInterpolation(_ name: DomainName) { parts.append(.name(name)) }
        package mutating func appendInterpolation(_ address: IPAddress) { parts.append(.address(address)) }
        package mutating func appendInterpolation(_ address: IPv4Address) { parts.append(.address(.ipv4(address))) }
        package mutating func appendInterpolation(_ address: IPv6Address) { parts.append(.address(.ipv6(address))) }
        package mutating func appendInterpolation(_ site: CallSite) { parts.append(.site(site)) }
        package mutating func appendInterpolation(_ function: LookupFunction) { parts.append(.function(function)) }
        package mutating func appendInterpolation(_ type: RecordType) { parts.append(.type(type)) }
        package mutating func appendInterpolation(_ code: ResponseCode) { parts.append(.responseCode(code)) }
        package mutating func appendInterpolation(_ drop: Drop) { parts.append(.drop(drop)) }
        package mutating func appendInterpolation(_ call: TracedCall, at site: CallSite) {
            parts.append(.call(call, at: site))
        }
        package mutating func appendInterpolation(_ origin: AddressOrigin) { parts.append(.origin(origin)) }
        package mutating func appendInterpolation(from origin: AddressOrigin) { parts.append(.source(origin)) }
        package mutating func appendInterpolation(_ duration: Duration) { parts.append(.duration(duration)) }
        package mutating func appendInterpolation(octets count: UInt64) { parts.append(.octets(count)) }
        package mutating func appendInterpolation(_ count: Int) { parts.append(.words("\(count)")) }
        /// `1 query`, `2 queries`.
        package mutating func appendInterpolation(_ count: Int, _ one: StaticString, _ many: StaticString? = nil) {
            parts.append(.words(counted(count, "\(one)", many.map { "\($0)" })))
        }
        /// Text from the client, untrusted.
        package mutating func appendInterpolation(text: String) { parts.append(.text(text)) }
        package mutating func appendInterpolation(service flow: Flow) {
            parts.append(.service(flow.transport, port: flow.port))
        }
        /// `the metadata service of a cloud (169.254.169.254)`, without the address if it is the canary's usual one.
        package mutating func appendInterpolation(_ canary: Canary, at address: IPAddress) {
            self.appendLiteral(canary.description + (canary.address == address ? "" : " (\(canary.address))"))
        }
        /// The URL and its kind of spelling.
        package mutating func appendInterpolation(_ trial: CanaryTrial) {
            self.appendLiteral("\(trial.url) (\(trial.spelling))")
        }
        package mutating func appendInterpolation(_ statement: Statement) { parts += statement.parts }
    }

    static func + (left: Statement, right: Statement) -> Statement { "\(left)\(right)" }
}
