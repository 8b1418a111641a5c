// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// The resolver of an IPv6-only network has an IPv6 address. A program that reads resolv.conf itself and sends no question has not
    /// understood the address. The C library's resolver reads the file as well: the stack distinguishes the two.
    package static let cannotReadNameServer = Rule(
        id: "V6C-036", title: "reads /etc/resolv.conf and asks no name server",
        severityIfPassing: .warning,
        advice:
            "Take everything behind \"nameserver\" for the address, colons and a zone (fe80::1%eth0) included, and make the socket of "
            + "the family that it has. Better, leave it to getaddrinfo or the language's resolver.",
        networks: .ipv6Only, clients: .all, needs: [.queries], supersedes: ["V6C-004", "V6C-086", "V6C-093"]
    ) { examination in
        // Some programs only show the file.
        if examination.run.end.isSuccess, examination.control?.seen.questions.isEmpty != false { return [] }
        let evidence = examination.traced
        let asked = examination.observations(of: evidence.attempts.filter(isToUnspecified)) { call, site in
            "\(call, at: site): of a name server with an IPv6 address, res_ninit leaves 0.0.0.0 in nsaddr_list."
        }
        if !asked.isEmpty { return asked }
        guard examination.readsNameServersAlone else { return [] }
        return examination.observations(of: evidence.own.filter(isReading)) { call, site in
            "\(call, at: site): it read the file and asked no name server, so it does not understand one with an IPv6 address."
        }
    }
}

extension Examination {
    /// Whether the client read the file and asked no name server, nor the C library. One that went to an address had nothing to ask, such as
    /// gRPC's.
    var readsNameServersAlone: Bool {
        !traced.attempts.contains(where: \.isToHost) && run.seen.questions.isEmpty && lookups.allSatisfy(\.isReading)
            && !traced.calls.contains(where: isToRealServer)
            && traced.own.contains(where: isReading)
    }
}

private func isReading(_ call: TracedCall) -> Bool {
    guard call.subject == .file("/etc/resolv.conf"), case .succeeded = call.outcome else { return false }
    return !call.frames.contains { frame in frame.function.map { libraryReaders.contains(where: $0.hasPrefix) } ?? false
    }
}

private func isToRealServer(_ call: TracedCall) -> Bool {
    guard call.isAttempt, call.address?.port == 53, case .ipv6(let address) = call.address?.ip else { return false }
    return address.mapped == nil
}

/// glibc keeps the IPv6 servers in `_u._ext.nsaddrs`.
private func isToUnspecified(_ call: TracedCall) -> Bool {
    call.address?.port == 53 && call.address?.ip == .ipv4(IPv4Address(0, 0, 0, 0))
}

/// Functions of C libraries and of Go's that read it for their own resolver, which then may find the name in /etc/hosts.
private let libraryReaders = [
    "__res_", "res_init", "res_n", "res_query", "__resolv_", "__get_resolv_conf", "getaddrinfo", "gethostby",
    "ares_", "net.dnsReadConfig", "net.(*resolverConfig)",
]
