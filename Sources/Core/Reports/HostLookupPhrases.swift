// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Text

/// `shop.test, looked up by curl`
func phrase(_ lookup: HostLookup?) -> String {
    switch lookup {
    case .function(let lookup):
        lookup.literal.map { "\($0), synthesised for \(caller(lookup.site))" }
            ?? "\(lookup.node ?? "?"), looked up by \(caller(lookup.site))"
    case .network(let name): "\(name.withoutFinalDot), by DNS"
    case .resolver(let query): "\(query.question.name.withoutFinalDot), by \(phrase(query.carrier))"
    case nil: "not looked up"
    }
}

/// The caller's line if it is known; a place in a library says little here.
func caller(_ site: CallSite) -> String { site.file == nil ? site.program ?? "a program" : phrase(site) }

/// A `HostLookup` in JSON reports.
struct HostLookupRecord: Encodable, Sendable {
    /// The C library's function; `dns` if the network's DNS was asked otherwise; `dot`, `doh` or `httpdns` for a resolver of the world.
    let by: String
    /// The name, or the literal for which getaddrinfo synthesised the address.
    let node: String?
    /// The caller, if `by` is a function.
    private(set) var program: String?
    private(set) var process: Int?

    init(_ lookup: HostLookup) {
        switch lookup {
        case .function(let lookup):
            by = lookup.call.rawValue
            node = lookup.node
            program = lookup.site.program
            process = lookup.process
        case .network(let name): (by, node) = ("dns", name.withoutFinalDot)
        case .resolver(let query): (by, node) = (query.carrier.rawValue, query.question.name.withoutFinalDot)
        }
    }
}
