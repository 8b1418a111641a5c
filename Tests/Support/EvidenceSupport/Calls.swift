// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

extension TracedCall {
    /// A call about an address.
    /// - Parameter line: of the source, `agent.c:12` or `connect_server agent.c:12`; more of them are the callers.
    package init(
        _ name: Name, to address: IPAddress, _ port: UInt16, length: Int? = nil, on socket: SocketKind? = .ipv4Stream,
        _ outcome: Outcome = .failed(.networkUnreachable), at lines: String..., origin: AddressOrigin.Place? = nil,
        program: Int = 0, descriptor: Int32 = 3, time: Duration = .zero, duration: Duration = .zero
    ) {
        let usual = if case .ipv4 = address { 16 } else { 28 }
        self.init(
            name, .address(.ip(address, port: port), length: length ?? usual, on: socket), outcome, program: program,
            descriptor: descriptor, time: time)
        self.duration = duration
        self.frames = lines.map { StackFrame(line: $0) }
        self.origin = origin.map { AddressOrigin($0) }
    }

    /// A call about something else.
    package init(
        _ name: Name, _ subject: Subject, _ outcome: Outcome = .succeeded(0), at lines: String..., program: Int = 0,
        descriptor: Int32 = -1, time: Duration = .zero
    ) {
        self.init(name, subject, outcome, program: program, descriptor: descriptor, time: time)
        frames = lines.map { StackFrame(line: $0) }
    }
}

extension SocketKind {
    package static let ipv4Stream = SocketKind(family: ipv4, type: stream)
    package static let ipv6Stream = SocketKind(family: ipv6, type: stream)
    package static let ipv4Datagram = SocketKind(family: ipv4, type: datagram)
    package static let ipv6Datagram = SocketKind(family: ipv6, type: datagram)
}

extension StackFrame {
    /// From `agent.c:12`, `connect_server agent.c:12` or `getaddrinfo`.
    fileprivate init(line text: String) {
        let words = text.split(separator: " ").map(String.init)
        let place = words.last.flatMap { word in
            word.lastIndex(of: ":").map { (word[..<$0], word[word.index(after: $0)...]) }
        }
        self.init(
            function: words.count == 2 || place == nil ? words[0] : nil, file: place.map { String($0.0) },
            line: place.flatMap { Int($0.1) })
    }
}

extension CallEvidence {
    package init(
        _ calls: [TracedCall],
        by programs: [TracedProgram] = [TracedProgram(process: 10, parent: nil, executable: "/app/client")]
    ) {
        self.init()
        self.calls = calls
        self.programs = programs
    }
}

extension RunEvidence {
    /// The same run, traced.
    package func traced(
        _ calls: TracedCall...,
        by programs: [TracedProgram] = [TracedProgram(process: 10, parent: nil, executable: "/app/client")]
    ) -> RunEvidence {
        var run = self
        run.calls = CallEvidence(calls, by: programs)
        return run
    }
}
