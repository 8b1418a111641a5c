/// A program that answers in a host's name:
///
///     run: { port: 22, command: [/usr/sbin/sshd, -i] }
///     run:
///       port: 9418
///       command: [git, daemon, --inetd, --export-all, --base-path=/srv/git]
///     run: { port: 993, tls: true, command: [./imapd] }                       # behind TLS
///     run: { port: 69, udp: true, command: [in.tftpd] }                       # it gets the socket
///     run: { port: 443, udp: true, tls: true, lives: run, command: [caddy, run] }     # it listens for itself
extension WorldFileReader {
    static let programExample = "run: { port: 22, command: [/usr/sbin/sshd, -i] }"

    mutating func readProgram(_ node: YAMLNode) -> ServiceDeclaration? {
        guard let entries = map(node, whatItIs: "run", example: Self.programExample) else { return nil }
        let fields = fields(entries, of: "run", named: ["port", "command", "udp", "tls", "lives"])
        guard let port = fields["port"], let command = fields["command"] else {
            let missing = fields["port"] == nil ? "port" : "command"
            report("the \(missing) of the program is missing: write \(Self.programExample)", at: node.position)
            return nil
        }
        guard let words = readCommand(command), let number = readPort(port, of: "the program") else { return nil }
        guard let manner = readManner(fields, at: node.position) else { return nil }
        return ServiceDeclaration(kind: .program(ServedProgram(command: words, manner: manner)), port: number)
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

    private mutating func readCommand(_ node: YAMLNode) -> [String]? {
        guard case .list(let items) = node.content, !items.isEmpty else {
            report(
                "a command is a list, the program first, such as [/usr/sbin/sshd, -i], not \(node.kindDescription)",
                at: node.position)
            return nil
        }
        var words: [String] = []
        for item in items.prefix(WorldFileLimits.words) {
            guard case .scalar(let word) = item.content, !word.utf8.contains(0), !(words.isEmpty && word.isEmpty) else {
                report("a word of a command is text, not \(item.kindDescription)", at: item.position)
                return nil
            }
            words.append(word)
        }
        guard items.count <= WorldFileLimits.words else {
            report("a command has at most \(WorldFileLimits.words) words", at: node.position)
            return nil
        }
        return words
    }
}
