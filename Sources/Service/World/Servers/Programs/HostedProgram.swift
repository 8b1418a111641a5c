// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Glibc
import LinuxNet
import Sandbox
import Suites
import Synchronization
import Text
import Wire

/// A program of a world in its host: prepared, and with its output kept for later requests.
final class HostedProgram: Sendable {
    let service: World.Service
    let program: ServedProgram
    private let log: Descriptor
    private let isLogged: Bool
    /// Its own folder; `nil` if it has none.
    private let state: Mutex<String?>
    private let folders: LeasedFolder?
    private let name: String
    /// How many folders it has had.
    private let generation = Atomic(0)

    /// Maximum lines of a program's output that a failure quotes.
    private static let lastLines = 10
    /// Maximum octets of these lines.
    private static let lastOctets = 2048

    /// Prepares the program, if it has a prepare command, and finds its executable.
    /// - Parameters:
    ///   - folders: the parent of its own folder.
    ///   - keepsOutput: whether to keep its output. If not, the output goes to this process's standard error stream, unless the
    ///     program's readiness depends on it.
    init(
        _ service: World.Service, _ program: ServedProgram, named name: String, in folders: LeasedFolder?,
        keepsOutput: Bool
    ) throws(ServiceStartError) {
        self.service = service
        self.program = program
        self.folders = folders
        self.name = name
        do throws(SystemError) {
            log = try MemoryFile.makeLog()
            isLogged = keepsOutput || program.isReadyByLog
        } catch {
            throw ServiceStartError(service: service, reason: "\(error)")
        }
        state = Mutex(nil)
        if let reason = failureOfRenewal() { throw ServiceStartError(service: service, reason: reason) }
        if case .failure(let reason) = find(filled(program.command)[0]) {
            throw ServiceStartError(service: service, reason: "\(program.command[0]): \(reason)")
        }
    }

    private func find(_ name: String) -> Result<OSString, Errno> {
        Executable.find(OSString(name), path: Inheritance.environment()["PATH"])
    }

    private func filled(_ words: [String], at address: SocketAddress? = nil) -> [String] {
        let address = address ?? SocketAddress(service.address, port: service.port)
        let state = state.withLock { $0 }
        return words.map { word in
            CommandPlaceholder.fill(word) { placeholder in
                switch placeholder {
                case .address: "\(address.host)"
                case .port: "\(address.port)"
                case .certificate, .key: ServerProgram.Start.path
                case .state: state ?? ""
                }
            }
        }
    }

    // MARK: - Preparing

    /// Gives the program an empty folder, if it needs one, and prepares it there. Returns the reason of a failure.
    func failureOfRenewal() -> String? {
        guard program.hasState, let folders else { return nil }
        do throws(SystemError) {
            let number = generation.wrappingAdd(1, ordering: .relaxed).oldValue
            let folder = try folders.makeFolder("\(name).\(number)")
            state.withLock { $0 = folder }
            return try program.prepare.flatMap { prepare throws(SystemError) in
                try failure(ofPreparing: filled(prepare), in: folder, folders)
            }
        } catch {
            return "\(error)"
        }
    }

    private func failure(
        ofPreparing words: [String], in folder: String, _ folders: LeasedFolder
    ) throws(SystemError) -> String? {
        guard case .success(let path) = find(words[0]) else { return "its prepare command: there is no \(words[0])" }
        let log = try MemoryFile.makeLog()
        var start = ServerProgram.Start(
            "/bin/sh",
            arguments: ["sh", "-c", "cd -- \"$1\" && export OLDPWD && shift && exec \"$@\"", "sh", OSString(folder)]
                + [Self.absolute(path)] + words.dropFirst().map { OSString($0) })
        start.log = log.number
        start.lease = folders.lease
        start.grace = program.grace
        var preparation = try ServerProgram.start(start)
        let deadline = MonotonicClock.now() + program.within
        var ending: ExitReport?
        repeat {
            ending = preparation.poll()
        } while ending == nil
            && waitForInput(preparation.descriptor, until: deadline)
        preparation.end()
        if case .exited(code: 0)? = ending?.outcome { return nil }
        let end = ending.map { "ended with \($0.words)" } ?? "did not end within \(program.within.inSeconds)"
        return "its prepare command \(end)" + Self.quoted(try MemoryFile.contents(of: log))
    }

    private static func absolute(_ path: OSString) -> OSString {
        let slash = UInt8(ascii: "/")
        if path.bytes.first == slash { return path }
        return OSString(Array((realPath(".") ?? "").utf8) + [slash] + path.bytes)
    }

    // MARK: - Running

    /// The parameters to start it. `given` is the connection, the bound socket, or a certificate with its key.
    func start(_ request: ProgramRequest, _ given: Int32?) throws(SystemError) -> ServerProgram.Start {
        let words = filled(program.command, at: request.local)
        let path: OSString
        switch find(words[0]) {
        case .success(let found): path = found
        case .failure(let reason): throw SystemError("exec", reason, what: words[0])
        }
        var start = ServerProgram.Start(path, arguments: words.map { OSString($0) })
        switch program.manner {
        case .perConnection, .perSocket:
            guard let given else { throw SystemError("fork", .EBADF) }
            start.connection = given
        case .standing(_, let tls):
            start.file = given
            if tls {
                start.variables.append((name: ServedProgram.certificateVariable, value: ServerProgram.Start.path))
            }
        }
        start.variables += request.variables(program.transport == .tcp ? "TCP" : "UDP")
        start.log = isLogged ? log.number : nil
        start.lease = folders?.lease
        start.grace = program.grace
        return start
    }

    /// The first condition of the world file that it does not meet yet; `nil` if it is ready.
    func missing() -> String? {
        let check = ReadinessCheck(
            listeners: { [service] in
                ((try? ListeningSocket.all()) ?? []).filter {
                    // gRPC listens at ::ffff:203.0.113.5.
                    let host = $0.address.host
                    return host == service.address || host.ipv6?.mapped.map(IPAddress.ipv4) == service.address
                        || host.octets.allSatisfy { $0 == 0 }
                }
            },
            hasPrinted: { [self] text in octets.contains(Array(text.utf8)) }, folder: ".")
        return check.missing(
            of: program.ready.map { condition in
                guard case .file(let path) = condition else { return condition }
                return .file(filled([path])[0])
            })?.text
    }

    // MARK: - Output

    private var octets: [UInt8] {
        (try? MemoryFile.contents(of: log, maximum: ServerProgram.Start.logLimit)) ?? []
    }

    /// All output that was kept.
    var output: String { String(decoding: octets, as: UTF8.self) }

    /// The end of the output, as a failure quotes it.
    var quotedOutput: String { Self.quoted(octets) }

    private static func quoted(_ octets: [UInt8]) -> String {
        let lines = String(decoding: octets.suffix(lastOctets), as: UTF8.self).split(whereSeparator: \.isNewline)
        if lines.isEmpty { return "" }
        return " (\(lines.suffix(lastLines).map { printable(String($0)) }.joined(separator: " | ")))"
    }
}

extension ExitReport {
    /// "exit 3"
    var words: String {
        switch outcome {
        case .exited(let code): "exit \(code)"
        case .signaled(let number, _): "signal \(number)"
        case .notExecuted(let reason): "an error: it cannot be executed (\(reason))"
        case .lost: "its keeper, which was killed"
        }
    }
}
