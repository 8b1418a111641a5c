import Evidence
import Wire

extension CallEvidence {
    /// The calls that the client made itself, in their order.
    var own: [TracedCall] { calls.filter { !isOfTheCLibrary($0) } }

    /// Those of them that went to a host, or should have.
    var attempts: [TracedCall] { own.filter(\.isAttempt) }

    /// Whether the C library made the call on its own account: getaddrinfo connects datagram sockets to every address that it found
    /// and sends nothing, to learn the source addresses by which RFC 6724 sorts; and it asks the kernel for the machine's addresses.
    func isOfTheCLibrary(_ call: TracedCall) -> Bool {
        if call.frames.contains(where: { $0.function.map(resolving.contains) ?? false }) { return true }
        return isForSorting(call) && sortedTogether(call) > 1
    }

    /// How many addresses the same program connected datagram sockets to, at one port and with nothing in between. Where no stack
    /// tells, this does: a program that wants to know its own address asks for one address alone.
    private func sortedTogether(_ call: TracedCall) -> Int {
        let others = calls.filter { $0.program == call.program && ($0.name == .bind || $0.isAttempt) }
        guard let place = others.firstIndex(of: call) else { return 0 }
        func belongs(_ other: TracedCall) -> Bool { isForSorting(other) && other.address?.port == call.address?.port }
        let before = others[..<place].reversed().prefix(while: belongs)
        let after = others[place...].prefix(while: belongs)
        return Set((before + after).compactMap(\.address?.ip)).count
    }
}

/// Whether it may be one of getaddrinfo's: to the service's port, which may be none; a name server's it leaves to the resolver.
private func isForSorting(_ call: TracedCall) -> Bool {
    call.name == .connect && call.socket?.type == SocketKind.datagram && call.address?.ip != nil
        && call.address?.port != 53
}

private let resolving: Set = [
    "getaddrinfo", "__GI_getaddrinfo", "gaih_inet", "gaih_inet.constprop.0", "__check_pf", "__res_nsend",
    "__res_context_send", "send_dg", "send_vc", "reopen",
]
