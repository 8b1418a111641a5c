// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text
import Wire

/// A flow in one line.
/// - Parameter isVerbose: also show the TLS of connections that named the host by its name.
func phrase(_ flow: Flow, name: String?, isVerbose: Bool = false) -> String {
    var text = "\(name ?? (flow.isInbound ? "(a client)" : "(never looked up)"))  \(flow.transport.rawValue)"
    if flow.port != 0 { text += " \(flow.port)" }
    text += "  \(place(of: flow))"
    if flow.transport == .tcp, !flow.isInbound {
        text += "  \(counted(flow.accepted, "connection"))"
        if flow.accepted == 0 {
            text += " (\(flow.unreachable.map(phrase) ?? (flow.refused > 0 ? "refused" : "no answer")))"
        } else if isVerbose, let times = flow.times, let answer = times.answer {
            text +=
                flow.accepted == 1
                ? " in \(phrase(answer - times.first))" : ", the first in \(phrase(answer - times.first))"
        }
    } else if let cause = flow.unreachable {
        text += "  \(flow.refused) refused (\(phrase(cause)))"
    }
    if let hellos = flow.hellos, isVerbose || hellos.each.contains(where: { !$0.hello.names(name) }) {
        text += "  " + phrases(hellos).joined(separator: "; ")
    }
    return text + "  \(octets(flow.bytesSent)) sent, \(octets(flow.bytesReceived)) received"
}

private func place(of flow: Flow) -> String {
    if case .translated(let address) = flow.route { "\(flow.remote) → \(address)" } else { "\(flow.remote)" }
}

/// The flows that clients opened, one line a client: it has a port of its own for each connection.
func phrases(inbound flows: [Flow]) -> [String] {
    let clients = Dictionary(grouping: flows.indices) { InboundClient(flows[$0]) }
    return clients.sorted { $0.value[0] < $1.value[0] }.map { client, indices in
        let own = indices.map { flows[$0] }
        if own.count == 1 { return phrase(own[0], name: nil) }
        let sent = own.reduce(0) { $0 + $1.bytesSent }
        let received = own.reduce(0) { $0 + $1.bytesReceived }
        return "(a client)  \(client.transport.rawValue)  \(place(of: own[0]))  \(own.count) connections"
            + "  \(octets(sent)) sent, \(octets(received)) received"
    }
}

private struct InboundClient: Hashable {
    let transport: Flow.Transport
    let remote: IPAddress

    init(_ flow: Flow) { (transport, remote) = (flow.transport, flow.remote) }
}

/// One of the IPv4 dependencies in one line.
func phrase(_ dependency: IPv4Dependency) -> String {
    var text = "\(dependency.address)  \(dependency.flow.transport.rawValue)"
    if dependency.flow.port != 0 { text += " \(dependency.flow.port)" }
    if let name = dependency.name { text += "  \(name.withoutFinalDot)" }
    if let process = dependency.process { text += "  by \(baseName(process.program)) (process \(process.number))" }
    if !dependency.flow.isAnswered { text += "  no answer" }
    return text + (dependency.hasIPv6 ? "  by IPv6 as well" : "")
}
