// SPDX-License-Identifier: Apache-2.0
import Evidence
import Translation
import Wire

extension Rule {
    /// No host on the network can reach such a server. A server for its own machine alone is not meant.
    package static let listensOnIPv4 = Rule(
        id: "V6C-025", title: "listens on IPv4 only", severityIfPassing: .warning,
        advice: "Listen on [::] with IPV6_V6ONLY off, or on 0.0.0.0 and [::].",
        adviceByLanguage: Rule.missesOwnServer.adviceByLanguage,
        fittingAdvice: { examination, observations in
            let calls = examination.traced
            if examination.missesLoopbackOfIPv4 {
                return
                    "Without 127.0.0.1 Go takes \":port\" with \"tcp\" for IPv4 alone: listen with \"tcp6\", and with \"tcp4\" as well."
            }
            if examination.waitingOnIPv4.contains(where: { call in observations.contains { $0.target == call.target } })
            {
                return "Bind the datagram socket to [::], with IPV6_V6ONLY off, or a second one to it."
            }
            let call = examination.listeningOnIPv4.first { call in
                observations.contains { $0.target == call.target }
            }
            guard let call, let framework = ServerFramework(of: call, by: calls.program(of: call)) else { return nil }
            return "\(framework.name) listens on both families with \(framework.setting)."
        },
        networks: Set<Network>.ipv6Only.union([.nat64CLAT, .dualStack]), clients: .all,
        supersedes: ["V6C-003", "V6C-004", "V6C-019", "V6C-039", "V6C-044"]
    ) { examination in
        // A failing client may listen for reasons of its own; an unreachable server does not fail.
        guard examination.run.end.isSuccess || examination.run.isProbed else { return [] }
        // On dual-stack only a probe by IPv6 shows that it is to be reached by that.
        if examination.run.network == .dualStack, examination.run.end.isSuccess || !examination.run.isProbed {
            return []
        }
        let listening = examination.listeningOnIPv4.map { call in
            let (statement, site) = examination.told(examination.binding(call) ?? call)
            return Observation("\(statement): no IPv6 host can connect to it.", at: site, about: call.target)
        }
        let waiting = examination.waitingOnIPv4.map { call in
            let (statement, site) = examination.told(call)
            return Observation("\(statement): no IPv6 host can send to it.", at: site, about: call.target)
        }
        return (listening + waiting).unique
    }
}

extension Examination {
    /// At start, Go tests whether IPv6 sockets accept IPv4 too, by binding an address that the host has only with 127.0.0.1
    /// (ipsock_posix.go).
    fileprivate var missesLoopbackOfIPv4: Bool {
        traced.own.contains { call in
            guard call.name == .bind, call.error == .addressNotAvailable, case .ipv6(let address) = call.address?.ip,
                let mapped = address.mapped
            else { return false }
            return isLoopback(mapped)
        }
    }

    fileprivate var listeningOnIPv4: [TracedCall] {
        let listening = traced.own.filter { $0.name == .listen && $0.error == nil }
        return listening.filter { call in
            guard let address = call.ipv4, let port = call.address?.port, !isLoopback(address) else { return false }
            return !listening.contains { $0.address?.port == port && $0.ipv4 == nil }
                && !(run.end.isSuccess && !run.isProbed && hasChosenPort(call))
        }
    }

    /// Whether the kernel chose a listener's port, which no other host knows then: servers inside tests have such ports.
    private func hasChosenPort(_ listening: TracedCall) -> Bool {
        let bind = traced.own.last { $0.name == .bind && listening.isLater(onSocketOf: $0) }
        return bind?.address?.port == 0
    }

    /// Datagram sockets that wait at a port of the program's own choice, and sent nothing to another host. One that is bound to a group's
    /// address belongs to a search (V6C-040).
    fileprivate var waitingOnIPv4: [TracedCall] {
        let calls = traced.own
        let bound = calls.filter { $0.name == .bind && $0.error == nil && $0.socket?.type == SocketKind.datagram }
        return bound.filter { call in
            guard case .ip(.ipv4(let address), let port) = call.address, port != 0, !isLoopback(address),
                !address.isMulticast
            else { return false }
            let sends = calls.contains {
                $0.isAttempt && $0.isLater(onSocketOf: call) && $0.address?.ip?.isOfTheMachine == false
            }
            let joins = calls.contains {
                $0.joinsIPv4Group && $0.program == call.program && $0.descriptor == call.descriptor
            }
            return !sends && !joins
                && !bound.contains { $0.address?.port == port && $0.address?.ip?.isIPv4 == false }
        }
    }

    /// The call that chose the address, if its line is the user's: servers with workers bind before they start the workers.
    fileprivate func binding(_ listening: TracedCall) -> TracedCall? {
        traced.own.first {
            $0.name == .bind && $0.error == nil && $0.address == listening.address && $0.hasOwnLine
        }
    }
}

extension TracedCall {
    /// The listening address and port: the port distinguishes it from other servers of the same program.
    fileprivate var target: Target? {
        guard case .ip(let ip, let port) = address else { return nil }
        return .farEnd(.address(ip), socket?.type == SocketKind.datagram ? .udp : .tcp, port: port)
    }
}

private func isLoopback(_ address: IPv4Address) -> Bool { address.bits >> 24 == 127 }
