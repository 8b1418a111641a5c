// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DNS64
import DNSServer
import Glibc
import LinuxNet
import Scenarios
import ScenarioClient
import Terminal
import Text
import Translation
import Wire

struct DNS64CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dns64-check",
        abstract: "Ask any DNS64 what RFC 6147 and its neighbours say, and report each answer that departs from them.",
        discussion: """
            The names that are asked about are made up, and so is what is wrong with some of them. The server has to ask for them \
            where they are known: at --upstream, where this command answers for them as long as it runs. Let the server forward \
            everything there. Without a server ours is asked.

              nat64sim dns64-check --upstream 127.0.0.1#5300 @127.0.0.1     ask the server, and be its upstream
              nat64sim dns64-check --upstream 192.0.2.1                     only be the upstream, until the end by ^C
              nat64sim dns64-check @192.0.2.53                              only ask

            A file has questions of your own, or a whole conversation, with what the server knows: fixtures/dns64/README.md \
            describes the form. Of a conversation with a server at an address, what needs its evidence is not seen, and what needs \
            its time or its forwarders is skipped.

            Exit codes: 0 every answer is right (some files may be skipped) · 1 at least one is not · 2 wrong usage, or a file that \
            cannot be read · 4 all were skipped.
            """)

    @Option(help: ArgumentHelp("Be the server's upstream at this address.", valueName: "address"))
    var upstream: ServerAddress?

    @Option(help: ArgumentHelp("What the server synthesises under (default: 64:ff9b::/96).", valueName: "prefix"))
    var prefix: String?

    @Option(help: ArgumentHelp("How long a reply may take: 1, 1.5, 500ms (default: 5).", valueName: "time"))
    var timeout: WrittenDuration?

    @Option(help: ArgumentHelp("Write the answers to this file as JSON; - is standard output.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write the answers to this file as JUnit XML.", valueName: "file"))
    var junit: String?

    @Argument(
        help: ArgumentHelp(
            "The server behind an @ (repeatable, for each family): an address, and perhaps a port, such as @2001:db8::53#5353; and files.",
            valueName: "@server | file"))
    var words: [String] = []

    @OptionGroup var colour: ColourOptions

    func validate() throws {
        if json == "-" && junit == "-" { throw ValidationError("--json and --junit cannot both be standard output") }
        for word in words where word.hasPrefix("@") && ServerAddress(argument: String(word.dropFirst())) == nil {
            throw ValidationError("\"\(word)\" is no address, such as @192.0.2.53 or @2001:db8::53#5353")
        }
    }

    private var servers: [SocketAddress] {
        words.filter { $0.hasPrefix("@") }.compactMap { ServerAddress(argument: String($0.dropFirst()))?.address }
    }

    func run() throws {
        let prefix = try self.prefix.map { try Self.usage("--prefix \($0)", Pref64($0)) } ?? .wellKnown
        // Reports an unusable path now; the file is opened again when there is a report to write.
        for path in [json, junit].compactMap(\.self) where path != "-" {
            try Self.writing(path) { () throws(SystemError) in _ = try AtomicFile.open(path) }
        }
        let paths = words.filter { !$0.hasPrefix("@") }
        let files =
            try paths.isEmpty
            ? [ScenarioFile.shipped]
            : paths.map { try Self.usage(nil, ScenarioFile(name: $0, text: Self.text(of: $0))) }
        if let upstream, servers.isEmpty { try serve(files, at: upstream.address) }
        let marks = Marks(colour.color)
        var report = DNS64CheckReport(servers: servers, prefix: prefix)
        var skipped = 0
        for file in files {
            switch play(file, under: prefix, marks) {
            case .passed(let outcome):
                let unseen = outcome.unseen > 0 ? ", \(outcome.unseen) of evidence not seen" : ""
                say("\(marks.pass)  \(file.name)  \(counted(outcome.checks, "check"))\(unseen)")
            case .answered(let answers):
                report.answers += answers
                say(DNS64CheckReport.summary(answers))
            case .skipped(let reason):
                say("\(marks.skip)  \(file.name)  \(reason)")
                skipped += 1
            case .failed(let failure):
                report.failures.append(failure)
                say("\(marks.fail)  \(failure)")
            }
        }
        fflush(nil)
        if let json { try Self.write(report.json(), to: json) }
        if let junit { try Self.write(report.junit, to: junit) }
        if !report.failures.isEmpty || report.departures > 0 { Glibc.exit(ExitStatus.noSuccess.rawValue) }
        if skipped == files.count {
            throw CommandFailure(description: "nothing was shown: every file was skipped", status: .nothingToRun)
        }
    }

    /// Prints a line for people: to standard error if a report uses standard output.
    private func say(_ line: String) {
        if json == "-" || junit == "-" { Notice.show(line) } else { print(line) }
    }

    private enum Result {
        case passed(ScenarioRunner<ServerUnderTest>.Outcome)
        case answered([AnsweredQuestion])
        case skipped(String)
        case failed(String)
    }

    private func play(_ file: ScenarioFile, under prefix: Pref64, _ marks: Marks) -> Result {
        do {
            if file.hasQuestions { return .answered(try ask(file, under: prefix, marks)) }
            if let obstacle = try file.obstacle(isLocal: canAsk) { return .skipped(obstacle) }
            let own = servers.isEmpty ? try DNSService(file.configuration(), listeningOn: Self.loopback) : nil
            try own?.start()
            defer { own?.stop() }
            var runner = ScenarioRunner(file, against: server(own))
            return .passed(try runner.run())
        } catch let failure as ScenarioFile.Failure {
            return .failed("\(failure)")
        } catch {
            return .failed("\(file.name): \(error)")
        }
    }

    private func ask(_ file: ScenarioFile, under prefix: Pref64, _ marks: Marks) throws -> [AnsweredQuestion] {
        let upstream = self.upstream.map { [$0.address] } ?? (servers.isEmpty ? Self.loopback : [])
        let service = upstream.isEmpty ? nil : try DNSService(file.upstreamConfiguration(), listeningOn: upstream)
        try service?.start()
        defer { service?.stop() }
        let forwarders = (service?.addresses ?? []).map { Endpoint($0) }
        let own =
            servers.isEmpty
            ? try DNSService(
                file.ownConfiguration(under: prefix, forwardingTo: forwarders), listeningOn: Self.loopback) : nil
        try own?.start()
        defer { own?.stop() }
        let before = service?.nextQuery
        var server = server(own)
        let answers = try file.ask(&server, under: prefix) { answer in
            say(DNS64CheckReport.line(answer, marks))
            fflush(nil)
        }
        if let service, service.nextQuery == before {
            Notice.show(
                "nat64sim: the server never asked the upstream: let it forward everything to \(service.addresses[0])")
        }
        return answers
    }

    private func server(_ own: DNSService?) -> ServerUnderTest {
        ServerUnderTest(at: own?.addresses ?? servers, timeout: timeout?.duration ?? .seconds(5))
    }

    /// Answers for the names of the questions until the process is ended.
    private func serve(_ files: [ScenarioFile], at address: SocketAddress) throws -> Never {
        guard files.count == 1 else {
            throw CommandFailure(description: "one file has the names of an upstream", status: .usage)
        }
        let service = try Self.usage(
            "--upstream \(address)", DNSService(files[0].upstreamConfiguration(), listeningOn: [address]))
        try service.start()
        say("answering for the names of the questions at \(service.addresses[0]); to end: ^C")
        fflush(nil)
        while true { pause() }
    }

    /// Turns an error of `value` into a usage error, with the offending words.
    private static func usage<Value>(_ words: String?, _ value: @autoclosure () throws -> Value) throws(CommandFailure)
        -> Value
    {
        do {
            return try value()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(description: words.map { "\($0): \(error)" } ?? "\(error)", status: .usage)
        }
    }

    private static func write(_ contents: [UInt8], to path: String) throws(CommandFailure) {
        try writing(path) { () throws(SystemError) in
            if path == "-" {
                try Descriptor.writeAll(contents, to: STDOUT_FILENO)
            } else {
                try AtomicFile.open(path).commit(contents)
            }
        }
    }

    private static func writing(_ path: String, _ body: () throws(SystemError) -> Void) throws(CommandFailure) {
        do throws(SystemError) {
            try body()
        } catch {
            throw CommandFailure(
                description: "\(path): \(error.errno); give a file that can be written", status: .usage)
        }
    }

    private static func text(of path: String) throws(CommandFailure) -> String {
        do throws(SystemError) {
            return String(decoding: try Descriptor.contents(of: path), as: UTF8.self)
        } catch {
            throw CommandFailure(description: "\(path): \(reason(error.errno))", status: .usage)
        }
    }

    private static func reason(_ error: Errno) -> String {
        switch error {
        case .ENOENT: "there is no such file"
        case .EACCES: "you may not read it"
        case .EISDIR: "is a directory; give the files in it"
        default: "it cannot be read: \(error)"
        }
    }

    private static let loopback = [
        SocketAddress(IPv6Address.loopback, port: 0), SocketAddress(IPv4Address(127, 0, 0, 1), port: 0),
    ]

    /// Whether the address is one of this machine's, and there is a server of its family.
    private func canAsk(from address: IPAddress) -> Bool {
        let address = SocketAddress(address, port: 0)
        guard servers.isEmpty || servers.contains(where: { $0.family == address.family }) else { return false }
        return address.isLocal
    }
}

/// `192.0.2.53` or `2001:db8::53#5353`, the notation of `dig` and Unbound.
struct ServerAddress: ExpressibleByArgument {
    var address: SocketAddress

    init?(argument: String) {
        guard let server = Endpoint(written: argument, defaultPort: 53) else { return nil }
        address = SocketAddress(server)
    }
}
