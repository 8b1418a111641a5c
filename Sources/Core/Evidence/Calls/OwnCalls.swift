// SPDX-License-Identifier: Apache-2.0
internal import Text
internal import Wire

extension CallEvidence {
    /// The calls that the client made itself, in order: without those that the C library made for itself.
    package var own: [TracedCall] {
        let sorting = placesOfSorting
        return calls.indices.filter { !sorting.contains($0) && !calls[$0].isOfResolver }.map { calls[$0] }
    }

    /// The own calls that went to a host, or should have.
    package var attempts: [TracedCall] { own.filter(\.isAttempt) }

    /// Time of the first query to a name server: before it no program of the client knew anything from the DNS. Zero if the calls do not
    /// show it.
    package var firstQuestion: Duration {
        guard gaps.isEmpty, lost == 0 else { return .zero }
        return calls.first { $0.isAttempt && $0.address?.port == 53 }?.time ?? .zero
    }

    /// Indices in `calls` of the datagram sockets that getaddrinfo connects to every address that it found, at one port and with no other
    /// call in between. It sends nothing; it learns the source addresses by which RFC 6724 sorts. This pattern replaces a stack that is
    /// missing: a program that wants to know its own address connects to one address alone. Sorting connects to each address once: an
    /// address that is repeated is the program's own attempt.
    private var placesOfSorting: Set<Int> {
        var found: Set<Int> = []
        /// Each program's latest calls, if they may be sorting.
        var runs: [Int: (calls: [Int], addresses: Set<IPAddress>)] = [:]
        func end(_ run: (calls: [Int], addresses: Set<IPAddress>)?) {
            guard let run, run.addresses.count > 1 else { return }
            found.formUnion(run.calls)
        }
        for (index, call) in calls.enumerated() where call.name == .bind || call.isAttempt {
            let ip = call.address?.ip
            if let run = runs[call.program], let last = run.calls.last,
                !call.mayBeSorting || calls[last].address?.port != call.address?.port
                    || ip.map(run.addresses.contains) == true
            {
                end(runs.removeValue(forKey: call.program))
            }
            if call.mayBeSorting, let ip {
                runs[call.program, default: ([], [])].calls.append(index)
                runs[call.program]?.addresses.insert(ip)
            }
        }
        for run in runs.values { end(run) }
        return found
    }
}

extension TracedCall {
    /// Whether it sends something to a host, or connects to one.
    package var isAttempt: Bool {
        switch name {
        case .connect, .sendto, .sendmsg, .sendmmsg: address?.ip != nil
        case .socket, .bind, .listen, .setsockopt, .ioctl, .openat, .ioUringSetup: false
        }
    }

    /// Whether the C library's resolver made it: it queries name servers, and asks the kernel for the machine's addresses. Go's and c-ares sort
    /// addresses as getaddrinfo does; c-ares also a single one, and Go's in several goroutines at once.
    var isOfResolver: Bool {
        frames.contains { $0.function.map(resolving.contains) ?? false }
            || mayBeSorting && (isOfCares || frames.contains { $0.function.map(sortingOfGo.contains) ?? false })
    }

    private var isOfCares: Bool {
        frames.prefix(3).contains { $0.module.map { baseName($0).contains("cares") } ?? false }
            // The lines of Python stand before the library's own frames.
            || frames.first { $0.file != nil }?.file?.contains("/pycares/") == true
    }

    /// Whether getaddrinfo may have made it to sort addresses. It connects to the service's port, which may be 0; port 53 is the
    /// resolver's. Its sockets are of the address's family, and the length is right.
    fileprivate var mayBeSorting: Bool {
        name == .connect && socket?.type == SocketKind.datagram && address?.ip != nil && address?.port != 53
            && error != .familyNotSupported && error != .invalid
    }
}

private let resolving: Set = [
    "getaddrinfo", "__GI_getaddrinfo", "gaih_inet", "gaih_inet.constprop.0", "__check_pf", "__res_nsend",
    "__res_context_send", "send_dg", "send_vc", "reopen",
]

/// The functions of Go's package net that sort addresses, from the inner to the outer one: the compiler may have inlined the first ones.
private let sortingOfGo: Set = ["net.srcAddrs", "net.sortByRFC6724", "net.(*Resolver).goLookupIPCNAMEOrder"]
