// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Evidence
package import Translation
package import Wire

/// The named object of an observation. It is the same in every run of a client, so that a failure can be accepted for this object and
/// nothing else.
package enum Target: Hashable, Sendable {
    case name(DomainName)
    case address(IPAddress)
    case farEnd(Observation.Host, Flow.Transport, port: UInt16)
    case drop(DropReason)

    /// `nil` if the subject has no name.
    init?(_ subject: Observation.Subject) {
        switch subject {
        case .name(let name): self = .name(name)
        case .farEnd(let host, let transport, let port): self = .farEnd(host, transport, port: port)
        case .drop(let reason): self = .drop(reason)
        case .itself: return nil
        }
    }

    /// An IPv4 host that was reached or would have been.
    static func flow(to address: IPv4Address, _ flow: Flow) -> Target {
        .farEnd(.address(.ipv4(address)), flow.transport, port: flow.port)
    }
}
