// SPDX-License-Identifier: Apache-2.0
internal import Wire

extension CallEvidence {
    /// The calls that the client made itself, in their order: without those that the C library made on its own account.
    package var own: [TracedCall] {
        let sorting = placesOfSorting
        return calls.indices.filter { !sorting.contains($0) && !calls[$0].isOfResolver }.map { calls[$0] }
    }

    /// Those of them that went to a host, or should have.
    package var attempts: [TracedCall] { own.filter(\.isAttempt) }

    /// When a program of the client asked a name server first: what the DNS told, none of them knew before. Zero where the calls do not
    /// tell.
    package var firstQuestion: Duration {
        guard gaps.isEmpty, lost == 0 else { return .zero }
        return calls.first { $0.isAttempt && $0.address?.port == 53 }?.time ?? .zero
    }

    /// Where in `calls` the datagram sockets are that getaddrinfo connects to every address that it found, at one port and with nothing
    /// in between. It sends nothing, and learns the source addresses by which RFC 6724 sorts. Where no stack tells, this does: a
    /// program that wants to know its own address asks for one address alone. Sorting asks for each address once: an address that comes
    /// again is the program's own attempt.
    private var placesOfSorting: Set<Int> {
        var found: Set<Int> = []
        /// What each program did last, if that may be sorting.
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

    /// Whether the C library's resolver made it: it asks name servers, and the kernel for the machine's addresses.
    var isOfResolver: Bool { frames.contains { $0.function.map(resolving.contains) ?? false } }

    /// Whether it may be one of getaddrinfo's: to the service's port, which may be none; a name server's it leaves to the resolver. Its
    /// sockets are of the address's family, and the length is right.
    fileprivate var mayBeSorting: Bool {
        name == .connect && socket?.type == SocketKind.datagram && address?.ip != nil && address?.port != 53
            && error != .familyNotSupported && error != .invalid
    }
}

private let resolving: Set = [
    "getaddrinfo", "__GI_getaddrinfo", "gaih_inet", "gaih_inet.constprop.0", "__check_pf", "__res_nsend",
    "__res_context_send", "send_dg", "send_vc", "reopen",
]
