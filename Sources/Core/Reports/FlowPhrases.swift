// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text
import Wire

/// A flow in one line.
/// - Parameter isVerbose: also show the TLS of connections that named the host by its name.
func phrase(_ flow: Flow, name: String?, isVerbose: Bool = false) -> String {
    var text = "\(name ?? (flow.isInbound ? "(a client)" : "(never looked up)"))  \(flow.transport.rawValue)"
    if flow.port != 0 { text += " \(flow.port)" }
    text += "  \(flow.remote)"
    if case .translated(let address) = flow.route { text += " → \(address)" }
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

/// One of the IPv4 dependencies in one line.
func phrase(_ dependency: IPv4Dependency) -> String {
    var text = "\(dependency.address)  \(dependency.flow.transport.rawValue)"
    if dependency.flow.port != 0 { text += " \(dependency.flow.port)" }
    if let name = dependency.name { text += "  \(name.withoutFinalDot)" }
    if let process = dependency.process { text += "  by \(baseName(process.program)) (process \(process.number))" }
    if !dependency.flow.isAnswered { text += "  no answer" }
    return text + (dependency.hasIPv6 ? "  by IPv6 as well" : "")
}
