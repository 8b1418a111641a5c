import Evidence
import Wire

/// `connect(198.51.100.31 port 80, addrlen 16) → ENETUNREACH in connect_server (agent.c:12)`
func phrase(_ call: TracedCall, at site: CallSite) -> String {
    "\(call.name.rawValue)(\(arguments(call.subject))) → \(phrase(call.outcome)) in \(place(site))"
}

private func arguments(_ subject: TracedCall.Subject) -> String {
    switch subject {
    case .socket(let kind): "\(family(kind.family)), \(type(kind.type))"
    case .address(let address, let length, _): "\(phrase(address)), addrlen \(length)"
    case .option(let level, let option, _): "level \(level), option \(option)"
    case .request(let request, let interface):
        ["0x" + String(request, radix: 16), interface].compactMap(\.self).joined(separator: ", ")
    case .netlink(let type, let number): "netlink \(type), \(family(number))"
    case .file(let path): path
    case .nothing: ""
    }
}

private func phrase(_ address: CalledAddress) -> String {
    switch address {
    case .ip(let address, let port): "\(address) port \(port)"
    case .unix(let path): path
    case .other(let number): family(number)
    }
}

private func phrase(_ outcome: TracedCall.Outcome) -> String {
    switch outcome {
    case .succeeded(let value): "\(value)"
    case .failed(let error): error.name
    case .pending: "EINPROGRESS"
    case .unknown: "?"
    }
}

private func family(_ number: Int) -> String {
    switch number {
    case SocketKind.unix: "AF_UNIX"
    case SocketKind.ipv4: "AF_INET"
    case SocketKind.ipv6: "AF_INET6"
    case SocketKind.netlink: "AF_NETLINK"
    case SocketKind.packet: "AF_PACKET"
    default: "family \(number)"
    }
}

private func type(_ number: Int) -> String {
    switch number {
    case SocketKind.stream: "SOCK_STREAM"
    case SocketKind.datagram: "SOCK_DGRAM"
    case SocketKind.raw: "SOCK_RAW"
    default: "type \(number)"
    }
}

/// `connect_server (agent.c:12)`; without a line, the place in the program.
private func place(_ site: CallSite) -> String {
    guard let file = site.file else { return site.function ?? phrase(site) }
    let line = site.line.map { "\(file):\($0)" } ?? file
    return site.function.map { "\($0) (\(line))" } ?? line
}

/// `line 3 of agent.conf`
func phrase(_ origin: AddressOrigin) -> String {
    let place =
        switch origin.place {
        case .argument(let number, let program): "argument \(number) of \(program)"
        case .environment(let variable): "the environment's \(variable)"
        case .file(let path, let line): line.map { "line \($0) of \(path)" } ?? path
        case .data(let module): "the data of \(module)"
        case .answer(let name, let type): "the \(type) record of \(name.withoutFinalDot)"
        case .payload(let address, let port, let offset): "what came from \(address) port \(port), octet \(offset)"
        }
    return origin.isCertain ? place : "probably \(place)"
}
