// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text
import Wire

/// `connect(198.51.100.31 port 80, addrlen 16) → ENETUNREACH in connect_server (agent.c:12)`
func phrase(_ call: TracedCall, at site: CallSite) -> String {
    let place = place(site)
    return "\(phrase(call)) \(place == site.program ? "by" : "in") \(place)"
}

/// `connect(198.51.100.31 port 80, addrlen 16) → ENETUNREACH`
func phrase(_ call: TracedCall) -> String {
    let text = "\(call.name.rawValue)(\(arguments(call.subject)))"
    // The number of a descriptor is irrelevant.
    if case .succeeded(1...) = call.outcome, [.openat, .socket].contains(call.name) { return text }
    if call.outcome == .unknown { return "\(text) unfinished" }
    return "\(text) → \(phrase(call.outcome))"
}

private func arguments(_ subject: TracedCall.Subject) -> String {
    switch subject {
    case .socket(let kind): "\(family(kind.family)), \(type(kind.type))"
    case .address(let address, let length, _): "\(phrase(address)), addrlen \(length)"
    case .option(let level, let option, _): SocketOptionNames.phrase(level: level, option: option)
    case .request(let request, let interface):
        [requestName(request), interface].compactMap(\.self).joined(separator: ", ")
    case .netlink(let type, let number): "\(routingRequest(type)), \(family(number))"
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
    case .unknown: "unfinished"
    }
}

private func family(_ number: Int) -> String {
    switch number {
    case 0: "AF_UNSPEC"
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

/// The names in the kernel's rtnetlink.h.
private func routingRequest(_ type: Int) -> String {
    switch type {
    case 18: "RTM_GETLINK"
    case 22: "RTM_GETADDR"
    case 26: "RTM_GETROUTE"
    default: "netlink \(type)"
    }
}

/// The names in the kernel's sockios.h.
private func requestName(_ request: UInt32) -> String {
    switch request {
    case 0x8912: "SIOCGIFCONF"
    case 0x8913: "SIOCGIFFLAGS"
    case 0x8915: "SIOCGIFADDR"
    case 0x8917: "SIOCGIFDSTADDR"
    case 0x8919: "SIOCGIFBRDADDR"
    case 0x891b: "SIOCGIFNETMASK"
    case 0x8921: "SIOCGIFMTU"
    case 0x8927: "SIOCGIFHWADDR"
    case 0x8933: "SIOCGIFINDEX"
    default: "0x" + String(request, radix: 16)
    }
}

/// `connect_server (agent.c:12)`; without a line, the place in the program.
private func place(_ site: CallSite) -> String {
    guard let file = site.file else { return site.function ?? phrase(site) }
    let line = (site.line.map { "\(file):\($0)" } ?? file) + (site.through.map { ", through \($0)" } ?? "")
    return site.function.map { "\($0) (\(line))" } ?? line
}

/// `connect_server (agent.c:12)`; without a line `connect_server (agent+0x11f0)`.
func phrase(_ frame: StackFrame) -> String {
    let place =
        frame.file.map { file in frame.line.map { "\(file):\($0)" } ?? file }
        ?? frame.module.map { module in baseName(module) + (frame.offset.map { "+0x" + String($0, radix: 16) } ?? "") }
    guard let function = frame.function else { return place ?? "?" }
    return place.map { "\(function) (\($0))" } ?? function
}

/// `curl, started by sh, started by build.sh`: the program that called, and its ancestors.
func ancestry(_ call: TracedCall, in evidence: CallEvidence) -> String {
    var names: [String] = []
    var process: Int32?
    var next: Int? = call.program
    // A client may make the ancestry deep or circular, so it is limited.
    while let index = next, evidence.programs.indices.contains(index), names.count < 6 {
        let program = evidence.programs[index]
        // The program that the same process ran before did not start it.
        if process != program.process { names.append(baseName(program.executable)) }
        process = program.process
        next = program.parent.flatMap { $0 < index ? $0 : nil }
    }
    return names.joined(separator: ", started by ")
}

/// `from agent.conf:3`, `probably from agent.conf:3`
func source(_ origin: AddressOrigin) -> String {
    origin.isCertain ? "from \(place(origin))" : "probably from \(place(origin))"
}

/// `agent.conf:3`, `probably agent.conf:3`
func phrase(_ origin: AddressOrigin) -> String {
    origin.isCertain ? place(origin) : "probably \(place(origin))"
}

private func place(_ origin: AddressOrigin) -> String {
    switch origin.place {
    case .argument(let number, let program): "argument \(number) of \(baseName(program))"
    case .command(let shell): "the command line of \(shell) -c"
    case .environment(let variable): "the environment's \(variable)"
    case .file(let path, let line): line.map { "\(path):\($0)" } ?? path
    case .data(let module): "the data of \(module)"
    case .answer(let name, let type): "the \(type) record of \(name.withoutFinalDot)"
    case .payload(let place): phrase(place)
    }
}

extension TracedCall {
    /// Whether a report that is not verbose shows the call: it failed, and not about a file or within the machine.
    var isTelling: Bool {
        guard error != nil || outcome == .unknown else { return false }
        switch subject {
        case .socket(let kind): return kind.family != SocketKind.netlink && kind.family != SocketKind.unix
        case .address(.ip, _, _), .address(.other, _, _), .option, .request: return true
        case .address(.unix, _, _), .netlink, .file, .nothing: return false
        }
    }
}
