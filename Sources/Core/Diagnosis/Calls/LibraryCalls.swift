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
        guard call.name == .connect, call.socket?.type == SocketKind.datagram,
            call.address?.port.map(isForSorting) == true
        else { return false }
        // Without a stack, what tells is that nobody says anything on it: the program that wants to know its own address is not the
        // library, but asks for one address alone.
        return call.frames.isEmpty && sortedTogether(call) > 1
    }

    /// How many addresses the same program connected datagram sockets to within the time that getaddrinfo takes to sort.
    private func sortedTogether(_ call: TracedCall) -> Int {
        Set(
            calls.filter {
                $0.name == .connect && $0.program == call.program && $0.socket?.type == SocketKind.datagram
                    && $0.address?.port.map(isForSorting) == true
                    && max($0.time, call.time) - min($0.time, call.time) < .milliseconds(20)
            }.compactMap(\.address?.ip)
        ).count
    }
}

/// getaddrinfo connects to the service's port, which may be none; a name server's it leaves to the resolver.
private func isForSorting(_ port: UInt16) -> Bool { port != 53 }

private let resolving: Set = [
    "getaddrinfo", "__GI_getaddrinfo", "gaih_inet", "gaih_inet.constprop.0", "__check_pf", "__res_nsend",
    "__res_context_send", "send_dg", "send_vc", "reopen",
]
