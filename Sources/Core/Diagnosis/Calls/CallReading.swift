// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Text
import Wire

extension TracedCall {
    /// The IPv4 address of the call, IPv4-mapped or not.
    var ipv4: IPv4Address? {
        switch address?.ip {
        case .ipv4(let address): address
        case .ipv6(let address): address.mapped
        case nil: nil
        }
    }

    /// The length that the program gave for the address, in octets.
    var addressLength: Int? {
        if case .address(_, let length, _) = subject { length } else { nil }
    }

    /// Whether the call was for a datagram socket. If the socket is unknown: whether the call is not connect.
    var isOfDatagrams: Bool { socket.map { $0.type == SocketKind.datagram } ?? (name != .connect) }

    /// Whether there is no route to the address, as with an IPv4 attempt on a network without IPv4.
    var isUnreachable: Bool {
        error == .networkUnreachable || error == .hostUnreachable || error == .addressNotAvailable
    }

    /// Whether it goes to a host or a name server, not to the machine itself.
    var leavesTheMachine: Bool { isAttempt && address?.ip.map { !$0.isOfTheMachine } == true }

    /// Whether it goes to a host, name servers excluded.
    var isToHost: Bool { leavesTheMachine && address?.port != 53 }

    /// Whether it comes from a line of the user's own code.
    var hasOwnLine: Bool { frames.own.map { $0.line != nil && !$0.isOfLibrary } ?? false }

    /// The innermost frame of the client's own code. For a tool that the client started, and whose line is unknown, the place where the
    /// client started it.
    package func place(in evidence: CallEvidence) -> StackFrame? {
        let own = frames.own
        return own?.line == nil || own?.isOfCommandLine == true ? evidence.program(of: self)?.startedAt ?? own : own
    }

    /// The call's place in the client, and how it got there.
    func site(in evidence: CallEvidence) -> CallSite {
        let program = evidence.program(of: self)
        let (own, frame) = (frames.own, place(in: evidence))
        // A line of a library that was compiled in, such as a goroutine of net/http, is not the user's.
        let isForeign = frame.map { $0.module != nil && $0.isOfLibrary } ?? false
        return CallSite(
            program: program.map { baseName($0.command) }, module: frame?.module,
            offset: frame?.offset.flatMap { Int(exactly: $0) }, function: frame?.function,
            file: isForeign ? nil : frame?.file, line: isForeign ? nil : frame?.line,
            through: own?.line == nil ? nil : frames.through)
    }
}

extension IPAddress {
    /// Whether the address never leaves the machine or means no host: 0/8, 127/8, ::, ::1, IPv4-mapped or not.
    var isOfTheMachine: Bool {
        switch self {
        case .ipv4(let address): [0, 127].contains(address.bits >> 24)
        case .ipv6(let address): address.bits <= 1 || address.mapped.map { IPAddress.ipv4($0).isOfTheMachine } == true
        }
    }

    var isIPv4: Bool { if case .ipv4 = self { true } else { false } }
}

extension TracedProgram {
    /// The program's common name: for a script, the script.
    var command: String {
        let language = Language(interpreter: baseName(executable))
        guard language != nil || shells.contains(baseName(executable)), !isCommandOfShell else { return executable }
        let words = arguments.dropFirst()
        if let language, let option = words.prefix(while: { $0.hasPrefix("-") }).first(where: language.isOptionOfCode) {
            return "\(executable) \(option)"
        }
        if language == .php, words.first == "-S" { return "\(executable) -S" }
        return Self.firstArgument(of: words, language) ?? executable
    }

    /// The script, the class or the archive that an interpreter runs. Some options take the next word as their value.
    private static func firstArgument(of words: ArraySlice<String>, _ language: Language?) -> String? {
        let valued = language.flatMap { optionsWithValue[$0] } ?? []
        var isValue = false
        for word in words {
            if !isValue, !word.hasPrefix("-"), language != .java || !word.hasPrefix("@") { return word }
            isValue = !isValue && valued.contains(word)
        }
        return nil
    }

    private static let optionsWithValue: [Language: Set<String>] = [
        .java: optionsOfJava,
        .node: [
            "-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file",
        ],
        .perl: ["-I"], .php: ["-c", "-d", "-S", "-t", "-z"], .python: ["-W", "-X"], .ruby: ["-C", "-E", "-I", "-r"],
    ]

    private static let optionsOfJava: Set = [
        "-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path", "--add-modules",
        "--enable-native-access", "--add-reads", "--add-exports", "--add-opens", "--limit-modules", "--patch-module",
        "--source",
    ]
}
