/// A program that answers in a host's name:
///
///     run: { port: 22, command: [/usr/sbin/sshd, -i] }
///     run:
///       port: 9418
///       command: [git, daemon, --inetd, --export-all, --base-path=/srv/git]
extension WorldFileReader {
    static let programExample = "run: { port: 22, command: [/usr/sbin/sshd, -i] }"

    mutating func readProgram(_ node: YAMLNode) -> ServiceDeclaration? {
        guard let entries = map(node, whatItIs: "run", example: Self.programExample) else { return nil }
        let fields = fields(entries, of: "run", named: ["port", "command"])
        guard let port = fields["port"], let command = fields["command"] else {
            let missing = fields["port"] == nil ? "port" : "command"
            report("the \(missing) of the program is missing: write \(Self.programExample)", at: node.position)
            return nil
        }
        guard let words = readCommand(command), let number = readPort(port, of: "the program") else { return nil }
        return ServiceDeclaration(kind: .program(command: words), port: number)
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
