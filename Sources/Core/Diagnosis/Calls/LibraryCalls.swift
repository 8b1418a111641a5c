import Evidence
import Wire

extension CallEvidence {
    /// The calls that the client made itself, in their order: not those that the C library makes on its own account. getaddrinfo
    /// connects datagram sockets to every address that it found and sends nothing, to learn the source addresses by which RFC 6724
    /// sorts; and it asks the kernel for the machine's addresses.
    var own: [TracedCall] {
        let sorting = sortingCalls
        return calls.indices.filter { !sorting.contains($0) && !isBelowResolver(calls[$0]) }.map { calls[$0] }
    }

    /// Those of them that went to a host, or should have.
    var attempts: [TracedCall] { own.filter(\.isAttempt) }

    /// Where the calls are that connect datagram sockets of one program to several addresses, at one port and with nothing in between.
    /// Where no stack tells, this does: a program that wants to know its own address asks for one address alone. One pass: there can be
    /// thousands of calls.
    private var sortingCalls: Set<Int> {
        var found: Set<Int> = []
        // The row that a program is in, if its last call can be of one.
        var rows: [Int: SortingRow] = [:]
        for index in calls.indices {
            let call = calls[index]
            if call.name != .bind, !call.isAttempt { continue }
            guard let ip = call.address?.ip, isForSorting(call) else {
                rows[call.program]?.close(into: &found)
                rows[call.program] = nil
                continue
            }
            let port = call.address?.port
            if let row = rows[call.program], row.port != port {
                row.close(into: &found)
                rows[call.program] = nil
            }
            rows[call.program, default: SortingRow(port: port)].add(index, ip)
        }
        for row in rows.values { row.close(into: &found) }
        return found
    }
}

/// Calls of one program, one after the other, that may be getaddrinfo's.
private struct SortingRow {
    let port: UInt16?
    private var calls: [Int] = []
    private var addresses: Set<IPAddress> = []

    init(port: UInt16?) {
        self.port = port
    }

    mutating func add(_ call: Int, _ address: IPAddress) {
        calls.append(call)
        addresses.insert(address)
    }

    func close(into found: inout Set<Int>) {
        if addresses.count > 1 { found.formUnion(calls) }
    }
}

private func isBelowResolver(_ call: TracedCall) -> Bool {
    call.frames.contains { $0.function.map(resolving.contains) ?? false }
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
