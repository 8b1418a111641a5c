import Evidence

extension Rule {
    /// DNS64 makes an IPv6 address of an IPv4 one for those who ask for AAAA.
    package static let asksForIPv4Only = Rule(
        id: "V6C-002", title: "asks the DNS for IPv4 addresses only",
        advice:
            "Call getaddrinfo with AF_UNSPEC instead of gethostbyname or AF_INET, and try every address that it returns.",
        networks: [.nat64]
    ) { examination in
        let run = examination.run
        let askedForIPv6 = Set(run.questions.filter { $0.type == "AAAA" }.map(\.name))
        // To a name that does not exist, and where a fault answers, AAAA would have been of no more use.
        let names = unique(
            run.questions.filter {
                $0.type == "A" && $0.responseCode == "NOERROR" && $0.faults.isEmpty && !askedForIPv6.contains($0.name)
            }.map(\.name))
        // Where the client fails on dual-stack too, its IPv4 address must at least have been of use there.
        let useful = Set(examination.telling.compactMap { examination.control?.name(of: $0) })
        return names.filter { !examination.failsOnDualStackToo || useful.contains($0) }.map { name in
            let calls = run.lookups.filter { $0.isIPv4Only && isSameName($0.node, name) }
            let told = unique(calls.map { "\($0.caller) called \($0.call)" + ($0.hints == nil ? "" : " with AF_INET") })
            return Observation("It asked for A of \(name), and never for AAAA" + told.map { ": \($0)" }.joined() + ".")
        }
    }
}

/// Whether a name as a program gives it is that of a question.
private func isSameName(_ node: String?, _ name: String) -> Bool {
    guard let node else { return false }
    return (node.hasSuffix(".") ? String(node.dropLast()) : node).lowercased() == name.lowercased()
}
