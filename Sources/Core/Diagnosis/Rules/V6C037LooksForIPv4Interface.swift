// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Text

extension Rule {
    /// The presence of IPv4 interfaces, routes and addresses does not show whether there is a network.
    package static let looksForIPv4Interface = Rule(
        id: "V6C-037", title: "looks for an IPv4 address or route of the machine, and gives up",
        severityIfPassing: .warning,
        advice:
            "Do not ask whether there is a network: open the connection and handle its error. To show a state, count addresses of "
            + "either family (getifaddrs).",
        adviceByLanguage: [
            .java:
                "Do not ask whether there is a network: open the connection and handle its error. To show a state, count "
                + "NetworkInterface.inetAddresses() of either class, Inet6Address too.",
            .node:
                "Do not ask whether there is a network: open the connection and handle its error. To show a state, count entries "
                + "of os.networkInterfaces() of either family.",
            .go:
                "Do not ask whether there is a network: open the connection and handle its error. To show a state, count "
                + "net.InterfaceAddrs(), without To4().",
            .shell:
                "Do not ask whether there is a network: open the connection and handle its error. To show a state, ask for both families "
                + "(ip route, without -4).",
            .python:
                "Do not ask whether there is a network: open the connection and handle its error, and do not ask for SIOCGIFADDR or "
                + "/proc/net/route, which know IPv4 only.",
        ],
        furtherAdvice: { _ in "A program that wants its own address takes the local one of the connected socket." },
        networks: .ipv6Only, clients: .all,
        supersedes: ["V6C-003", "V6C-004", "V6C-044", "V6C-086", "V6C-087", "V6C-090"]
    ) { examination in
        if examination.run.end.isSuccess { return examination.leftOut }
        let evidence = examination.traced
        let asked = evidence.own.filter { isAboutIPv4($0) && evidence.isLast($0) }
        // The strongest evidence: the kernel answered that there is none.
        let refused = asked.filter { $0.error != nil }
        let silent = asked.filter { examination.gaveUp(after: $0) }
        // getifaddrs asks the kernel for all addresses. A program that goes on afterwards only if there is IPv4 was looking for that.
        let looked =
            silent.isEmpty
            ? evidence.own.filter {
                isAboutAddresses($0) && evidence.isLast($0) && examination.goesOnAlone(after: $0.subject)
            } : silent
        let calls = examination.observations(of: refused.isEmpty ? looked : refused) { call, site in
            "\(call, at: site), then it gave up: this network has no IPv4, and works all the same."
        }
        guard calls.isEmpty, !examination.run.hasSentSomething, examination.control?.end.isSuccess == true else {
            return calls
        }
        // The tool asks by an unconnected socket, as its own library does; its arguments show the question. A client that contacts a host
        // afterwards has not given up: the output was for a log.
        let tools = evidence.programs.filter { program in
            asksToolAboutIPv4(program)
                && !evidence.attempts.contains { $0.time > program.start && $0.leavesTheMachine }
        }
        return tools.prefix(1).map { examination.observation(of: $0, ", then it gave up") }
    }
}

extension RunEvidence {
    /// Whether the kernel answered a question for an IPv4 address or route of the machine with an error.
    var missesIPv4Interface: Bool { calls?.own.contains { isAboutIPv4($0) && $0.error != nil } ?? false }

    /// Whether the client may have given up a part for want of IPv4: the kernel refused a question for it, or the client looked at the
    /// machine's addresses, and used no network or did so by the C library.
    var mayGiveUpWithoutIPv4: Bool {
        missesIPv4Interface || (isSilent == true || listsAddresses) && looksForAddresses
    }

    /// Whether the client looked at addresses or routes of the machine, itself or by a tool.
    private var looksForAddresses: Bool {
        guard let calls else { return false }
        return calls.own.contains { isAboutIPv4($0) || isAboutAddresses($0) }
            || calls.programs.contains(where: asksToolAboutIPv4)
    }
}

extension Examination {
    /// The parts of a client that passes which it left out after the kernel's answer: on dual-stack it goes to more hosts, or more often.
    fileprivate var leftOut: [Observation] {
        guard run.mayGiveUpWithoutIPv4, let control, control.end.isSuccess, !control.isHindered else { return [] }
        let counts: Statement? = connectionsOfDualStackAlone(than: control).map { host, there, here in
            let times: Statement = there == 1 ? "once" : "\(there) times"
            return "connected to \(host) \(times), not \(here == 1 ? "once" : "\(here) times")"
        }
        // A mirror or a peer of another run is none that it left out.
        guard !choosesHosts,
            let more = hostsOfDualStackAlone.first.map({ $0.statement }) ?? counts.map({ "On dual-stack it \($0)" })
        else { return [] }
        let asked = traced.own.filter(isAboutIPv4)
        let looked = asked.filter { $0.error != nil } + asked + traced.own.filter(isAboutAddresses)
        if let tool = traced.programs.first(where: asksToolAboutIPv4), asked.allSatisfy({ $0.error == nil }) {
            return [observation(of: tool, "", " \(more).")]
        }
        return observations(of: Array(looked.prefix(1))) { call, site in
            "\(call, at: site): this network has no IPv4, and works all the same. \(more)."
        }
    }

    /// `It ran "ip -4 addr": this network has no IPv4, and works all the same.`
    fileprivate func observation(of tool: TracedProgram, _ outcome: Statement, _ rest: Statement = "") -> Observation {
        let evidence = traced
        return Observation(
            "It ran \"\(text: tool.commandLine)\"\(evidence.start(of: tool))\(evidence.starter(of: tool))\(outcome): this network has no "
                + "IPv4, and works all the same.\(rest)", at: evidence.site(of: tool))
    }

    /// A host, by its name, to which the client made more TCP connections on dual-stack.
    private func connectionsOfDualStackAlone(than control: RunEvidence) -> (host: DomainName, there: Int, here: Int)? {
        func counts(_ run: RunEvidence) -> [DomainName: Int] {
            let names = run.names
            return run.seen.flows.filter { $0.transport == .tcp && !$0.isInbound }.reduce(into: [:]) { counts, flow in
                if let name = names[flow] { counts[name, default: 0] += flow.accepted }
            }
        }
        let (here, there) = (counts(run), counts(control))
        // A number that differs between runs on one network tells nothing of the other.
        let before = again.map(counts)
        let names = control.seen.questions.map(\.name).unique
        return names.lazy.compactMap { name in
            guard let there = there[name], let here = here[name], here > 0, there > here, before?[name] ?? here == here
            else { return nil }
            return (name, there, here)
        }.first
    }
}

/// `ip address` and `ip route`, also as `ip -4 a`, unless for IPv6 alone; `route`, `ifconfig` and `netstat -r`; and `hostname -I`, whose first
/// word scripts take for an IPv4 address.
private func asksToolAboutIPv4(_ program: TracedProgram) -> Bool {
    let words = program.arguments.dropFirst()
    if words.contains("-6") || words.contains("inet6") { return false }
    return switch baseName(program.command) {
    case "hostname": words.contains { ["-I", "--all-ip-addresses"].contains($0) }
    case "ip": words.contains { word in !word.isEmpty && ["address", "route"].contains { $0.hasPrefix(word) } }
    case "netstat": words.contains { $0.hasPrefix("-") && $0.contains("r") }
    case "ifconfig", "route": true
    default: false
    }
}

private func isAboutIPv4(_ call: TracedCall) -> Bool {
    switch call.subject {
    case .request(let request, _): interfaceRequests.contains(request)
    case .netlink(_, let family): family == SocketKind.ipv4
    case .file(let path): ["/proc/net/route", "/proc/self/net/route"].contains(path)
    case .socket, .address, .option, .nothing: false
    }
}

/// RTM_GETADDR (rtnetlink(7)) for both families.
private func isAboutAddresses(_ call: TracedCall) -> Bool {
    if case .netlink(type: 22, family: 0) = call.subject { true } else { false }
}

/// SIOCGIFCONF, SIOCGIFADDR, SIOCGIFDSTADDR, SIOCGIFBRDADDR, SIOCGIFNETMASK (netdevice(7)): all for IPv4 only.
private let interfaceRequests: Set<UInt32> = [0x8912, 0x8915, 0x8917, 0x8919, 0x891b]
