// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Wire

/// The origins of the addresses that observations are about, as far as a traced run shows them.
struct KnownOrigins {
    private var origins: [IPAddress: AddressOrigin] = [:]

    init(_ runs: Runs) {
        for run in runs.all {
            var behind: [IPAddress: IPAddress] = [:]
            for flow in run.seen.flows { behind[flow.remote] = flow.ipv4Destination.map(IPAddress.ipv4) }
            for call in run.calls?.calls ?? [] {
                guard let address = call.address?.ip, let origin = call.origin else { continue }
                for form in [address, behind[address]].compactMap(\.self) where origins[form] == nil {
                    origins[form] = origin
                }
            }
            for lookup in run.lookups {
                guard let literal = lookup.literal, let origin = lookup.origin, origins[.ipv4(literal)] == nil else {
                    continue
                }
                origins[.ipv4(literal)] = origin
            }
        }
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
