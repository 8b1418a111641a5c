// SPDX-License-Identifier: Apache-2.0
import Suites
import Text

/// A program that serves a host:
///
///     run: { port: 22, command: [/usr/sbin/sshd, -i] }
///     run:
///       port: 9418
///       command: [git, daemon, --inetd, --export-all, --base-path=/srv/git]
///     run: { port: 993, tls: true, command: [./imapd] }                       # behind TLS
///     run: { port: 69, udp: true, command: [in.tftpd] }                       # it gets the socket
///     run: { port: 443, udp: true, tls: true, lives: run, command: [caddy, run] }     # it listens by itself
///     run:
///       port: 5432
///       lives: run
///       prepare: [initdb, -D, "{state}/db"]             # `CommandPlaceholder.swift`
///       command: [postgres, -D, "{state}/db", -h, "{address}"]
///       state: run                                      # or check, the default
///       ready: { log: ready to accept, within: 30s }    # `ReadySection.swift`
///       grace: 10s
extension WorldFileReader {
    static let programExample = "run: { port: 22, command: [/usr/sbin/sshd, -i] }"
    private static let programKeys = ["port", "command", "udp", "tls", "lives", "prepare", "state", "ready", "grace"]
    /// Maximum time between SIGTERM and SIGKILL.
    private static let longestGrace = Duration.seconds(600)

    mutating func readProgram(_ node: YAMLNode) -> ServiceDeclaration? {
        guard let entries = map(node, whatItIs: "run", example: Self.programExample) else { return nil }
        let fields = fields(entries, of: "run", named: Self.programKeys)
        guard let port = fields["port"], let command = fields["command"] else {
            let missing = fields["port"] == nil ? "port" : "command"
            report("the \(missing) of the program is missing: write \(Self.programExample)", at: node.position)
            return nil
        }
        let words = readCommand(command, "command")
        var prepare: [Located<String>]?
        if let node = fields["prepare"] { prepare = readCommand(node, "prepare") }
        guard let words, let number = readPort(port, of: "the program") else { return nil }
        guard let manner = readManner(fields, at: node.position) else { return nil }
        var program = ServedProgram(command: words.map(\.value), manner: manner)
        for word in words { check(word, hasCertificate: manner.isGivenCertificate) }
        for word in prepare ?? [] { check(word, hasCertificate: false) }
        program.prepare = prepare?.map(\.value)
        if let node = fields["state"] {
            program.stateLife = choice(node, "state", [("check", .check), ("run", .run)]) ?? .check
        }
        if let node = fields["ready"] { readReady(node, into: &program) }
        if let node = fields["grace"], let grace = duration(node, "grace") {
            if grace > Self.longestGrace { report("grace must be at most 10 minutes (10m)", at: node.position) }
            program.grace = grace
        }
        return ServiceDeclaration(kind: .program(program), port: number)
    }

    private mutating func readReady(_ node: YAMLNode, into program: inout ServedProgram) {
        guard case .standing = program.manner else {
            return report(
                "a program that starts with a connection or a datagram is asked for nothing before: take ready out, or write lives: run",
                at: node.position)
        }
        let (conditions, within) = readReady(node)
        program.ready = conditions
        program.within = within ?? program.within
        for case .file(let path) in conditions {
            check(Located(value: path, position: node.position), hasCertificate: false)
        }
    }

    /// Reports placeholders that do not exist, or not here.
    private mutating func check(_ word: Located<String>, hasCertificate: Bool) {
        for (name, placeholder) in CommandPlaceholder.all(in: word.value) {
            guard let placeholder else {
                let names = CommandPlaceholder.allCases.map(\.rawValue)
                let hint =
                    nearestWord(to: name, among: names).map { "did you mean {\($0)}?" }
                    ?? "there are \(enumerated(CommandPlaceholder.allCases.map(\.text)))"
                report(
                    "{\(name)} is no placeholder (\(hint)); for these characters themselves write {{\(name)}}",
                    at: word.position)
                continue
            }
            if placeholder == .certificate || placeholder == .key, !hasCertificate {
                report(
                    "\(placeholder.text) is there for the command of a program with tls: true and lives: run",
                    at: word.position)
            }
        }
    }

    private mutating func readManner(
        _ fields: [String: YAMLNode], at position: SourcePosition
    ) -> ServedProgram.Manner? {
        var isDatagram = false
        var isTLS = false
        var isStanding = false
        if let node = fields["udp"] {
            guard let value = flag(node, "udp") else { return nil }
            isDatagram = value
        }
        if let node = fields["tls"] {
            guard let value = flag(node, "tls") else { return nil }
            isTLS = value
        }
        if let node = fields["lives"] {
            guard node.isText("run") || node.isText("connection") else {
                report(
                    "a program lives for a connection or for the run: write lives: connection or lives: run, not \(node.kindDescription)",
                    at: node.position)
                return nil
            }
            isStanding = node.isText("run")
        }
        if isStanding { return .standing(isDatagram ? .udp : .tcp, tls: isTLS) }
        if !isDatagram { return .perConnection(tls: isTLS) }
        guard !isTLS else {
            report(
                "over UDP a program speaks TLS (QUIC, DTLS) itself: write lives: run, and it is given a certificate",
                at: position)
            return nil
        }
        return .perSocket
    }

    private mutating func readCommand(_ node: YAMLNode, _ name: String) -> [Located<String>]? {
        guard case .list(let items) = node.content, !items.isEmpty else {
            report(
                "\(name == "prepare" ? name : "a command") is a list, the program first, such as [/usr/sbin/sshd, -i], not \(node.kindDescription)",
                at: node.position)
            return nil
        }
        var words: [Located<String>] = []
        for item in items.prefix(WorldFileLimits.words) {
            guard case .scalar(let word) = item.content, !word.utf8.contains(0), !(words.isEmpty && word.isEmpty) else {
                report("a word of a command is text, not \(item.kindDescription)", at: item.position)
                return nil
            }
            words.append(Located(value: word, position: item.position))
        }
        guard items.count <= WorldFileLimits.words else {
            report("a command has at most \(WorldFileLimits.words) words", at: node.position)
            return nil
        }
        return words
    }
}

extension ServedProgram.Manner {
    fileprivate var isGivenCertificate: Bool { if case .standing(_, tls: true) = self { true } else { false } }
}
