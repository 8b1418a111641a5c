// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Wire

/// The origins of the addresses that observations are about, as far as a traced run shows them.
struct KnownOrigins {
    private var origins: [IPAddress: AddressOrigin] = [:]

    init(_ runs: Runs) {
        for run in runs.all {
            let called = (run.calls?.calls ?? []).compactMap { call in
                call.origin.flatMap { origin in call.address?.ip.map { ($0, origin) } }
            }
            let read = run.lookups.compactMap { lookup in
                lookup.origin.flatMap { origin in lookup.literal.map { (IPAddress.ipv4($0), origin) } }
            }
            for (address, origin) in called + read { note(origin, of: address) }
            // The host behind a synthesised address, unless its own address was written somewhere.
            var behind: [IPAddress: IPAddress] = [:]
            for flow in run.seen.flows { behind[flow.remote] = flow.ipv4Destination.map(IPAddress.ipv4) }
            for (address, origin) in called {
                if let host = behind[address] { note(origin, of: host) }
            }
        }
    }

    /// The first origin of an address counts.
    private mutating func note(_ origin: AddressOrigin, of address: IPAddress) {
        if origins[address] == nil { origins[address] = origin }
    }

    /// The address that the observation is about, and its origin; `nil` if it is about none, or the origin is unknown.
    subscript(observation: Observation) -> (address: IPAddress, origin: AddressOrigin)? {
        let address: IPAddress? =
            switch observation.target {
            case .address(let address), .farEnd(.address(let address), _, _): address
            case .name, .farEnd(.name, _, _), .drop, nil: nil
            }
        return address.flatMap { address in origins[address].map { (address, $0) } }
    }

    /// `The address 198.51.100.31 is in agent.conf:3.`, for each address whose origin is not in the finding's own text.
    func sentences(for finding: Finding) -> [String] {
        var sentences: [String] = []
        for observation in finding.observations {
            guard observation.statement.origin == nil, let (address, origin) = self[observation] else { continue }
            let text = sentence(address, origin)
            if !sentences.contains(text) { sentences.append(text) }
        }
        return sentences
    }
}

private func sentence(_ address: IPAddress, _ origin: AddressOrigin) -> String {
    var surely = origin
    surely.isCertain = true
    let verb =
        switch origin.place {
        case .answer, .payload: "came with"
        case .argument, .command, .environment, .file, .data: "is in"
        }
    return
        "The address \(address) \(origin.isCertain ? verb : verb == "is in" ? "is probably in" : "probably came with") \(phrase(surely))."
}
