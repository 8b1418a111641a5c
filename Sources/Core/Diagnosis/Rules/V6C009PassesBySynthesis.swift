// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// The client reached an address that getaddrinfo made of a literal, as Apple's does and Linux's does not. It is unknown whether it
    /// would pass without synthesis, as there was no such run.
    package static let passesBySynthesis = Rule(
        id: "V6C-009", title: "passes by literal synthesis", severity: .warning,
        advice:
            "Use a host name instead of the IPv4 address. A program that never runs on Apple's systems is judged by the machine's own "
            + "getaddrinfo, without --getaddrinfo.",
        networks: [.nat64], clients: .passing, needs: [.queries]
    ) { examination in
        examination.owedToSynthesis { $0.call != .connect }
    }
}

extension Examination {
    /// The synthesised addresses that a passing client used, from the given calls.
    func owedToSynthesis(by isMeant: (Lookup) -> Bool) -> [Observation] {
        run.usedSynthesis.filter(isMeant).compactMap { lookup in
            lookup.synthesis(by: run.profile).map {
                Observation("\($0).", at: lookup.site, about: lookup.literal.map { .address(.ipv4($0)) })
            }
        }
    }
}

extension Lookup {
    /// `getaddrinfo synthesised 64:ff9b::c633:640a for 198.51.100.10, as on Apple's systems`; `nil` if nothing was synthesised.
    func synthesis(by profile: GetaddrinfoProfile) -> Statement? {
        synthesised.first.map { address in
            let node: Statement = "\(address) for \(text: node ?? "")"
            return call == .connect
                ? "URL loading synthesised \(node), as on Apple's systems"
                : "getaddrinfo synthesised \(node), as on \(profile.owner)"
        }
    }
}

extension GetaddrinfoProfile {
    fileprivate var owner: Statement {
        switch self {
        case .apple: "Apple's systems"
        case .appleIOS9: "iOS 9.2"
        case .android: "Android"
        case .chromium: "Chromium"
        case .linux: "Linux"
        }
    }
}
