import DNS64
import DNSWire
import Evidence

extension Rule {
    /// DNS64 makes an IPv6 address of an IPv4 one for those who ask for AAAA.
    package static let asksForIPv4Only = Rule(
        id: "V6C-002", title: "asks the DNS for IPv4 addresses only",
        advice:
            "Call getaddrinfo with AF_UNSPEC instead of gethostbyname or AF_INET, and try every address that it returns.",
        networks: [.nat64], needs: [.queries]
    ) { examination in
        let run = examination.run
        let askedForIPv6 = Set(run.seen.questions.filter { $0.question.type == .aaaa }.map(\.name))
        // To a name that does not exist, and where a fault answers, AAAA would have been of no more use.
        let names = run.seen.questions.filter {
            $0.question.type == .a && $0.first.responseCode == .noError && $0.isFaultless
                && !askedForIPv6.contains($0.name)
        }.map(\.name).unique
        // Where the client fails on dual-stack too, its IPv4 address must at least have been of use there.
        let known = examination.control?.names
        let useful = Set(examination.telling.compactMap { known?[$0] })
        return names.filter { !examination.failsOnDualStackToo || useful.contains($0) }.map { name in
            let calls = run.lookups.filter { lookup in
                lookup.isIPv4Only && lookup.node.flatMap { try? DomainName($0) } == name
            }
            let told = calls.map { call -> Statement in
                ": \(call.site) called \(call.call)\(call.hints == nil ? "" : " with AF_INET" as Statement)"
            }.unique
            return Observation(
                told.reduce("It asked for A of \(name), and never for AAAA", +) + ".", at: calls.first?.site,
                about: .name(name))
        }
    }
}
