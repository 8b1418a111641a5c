// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Testing
import Wire

@testable import Sandbox

/// The accounts for which a sandbox is made: the current one, and `nobody` if that is root.
enum Account: CaseIterable, Sendable {
    case this
    case nobody

    static let all: [Account] = geteuid() == 0 ? [.this, .nobody] : [.this]

    /// The words that run a command for this account.
    var words: [String] {
        switch self {
        case .this: []
        case .nobody: ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        }
    }
}

/// A runner as a process of its own (SandboxProbe), and what it and its client say.
final class Probe {
    /// Every process that comes of this one has it in its environment.
    let marker: String
    let process: Int32
    private let output: Descriptor
    private let errors: Descriptor
    private var status: Int32?

    /// Where each probe is, readable for everybody.
    private static let executable: String = {
        let own = try? readLink("/proc/self/exe")
        let built = (own ?? "").split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/SandboxProbe"
        return built
    }()

    /// Whether this machine can make a sandbox at all; its absence is a visible skip.
    static let isPossible: Bool = {
        // As udev has it on distributions, so that ordinary users can use it.
        if geteuid() == 0 { unsafe chmod("/dev/net/tun", 0o666) }
        return (try? Probe(["--", "true"]).result().code) == 0
    }()

    struct Result {
        /// As a shell has it: 128 and more for a signal.
        let code: Int32
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// Starts a probe in a process group of its own, through a shell where `shell` is to prepare it: `"$@"` is the probe.
    init(_ arguments: [String], account: Account = .this, shell: String? = nil) throws {
        marker = "SANDBOX_TEST=\(getpid()).\(UInt64.random(in: .min ... .max))"
        var words = [Probe.executable] + arguments
        if let shell { words = ["/bin/sh", "-c", shell, "sh"] + words }
        words = account.words + words

        // The runner and its client write to the same two files at once.
        output = try MemoryFile.makeLog()
        errors = try MemoryFile.makeLog()
        let null = try Descriptor.open("/dev/null", flags: O_RDONLY)
        var spawning = Spawning(words[0], arguments: words.map { OSString($0) })
        spawning.descriptors = [(0, null.number), (1, output.number), (2, errors.number)]
        spawning.hasOwnGroup = true
        // The test runner blocks signals in its threads, which is not for the probe to inherit.
        spawning.heeded = SignalSet(rawValue: .max)
        spawning.environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", marker].map { OSString($0) }
        process = try spawning.start()
    }

    /// Waits for its end.
    func result() throws -> Result {
        while try !hasEnded(waiting: true) {}
        let status = status ?? 0
        let signal = status & 0x7f
        return Result(
            code: signal == 0 ? status >> 8 & 0xff : 128 + signal,
            output: String(decoding: try MemoryFile.contents(of: output), as: UTF8.self),
            errors: String(decoding: try MemoryFile.contents(of: errors), as: UTF8.self))
    }

    /// Waits until the runner knows that its client runs.
    func waitUntilStarted() throws {
        try eventually("the client's start") {
            String(decoding: try MemoryFile.contents(of: errors), as: UTF8.self).contains("link: ") ? () : nil
        }
    }

    func hasEnded(waiting: Bool = false) throws -> Bool {
        if status != nil { return true }
        var status: Int32 = 0
        let ended = unsafe waitpid(process, &status, waiting ? 0 : WNOHANG)
        if ended < 0 && errno != EINTR { throw SystemError("waitpid", Errno(errno)) }
        if ended == process { self.status = status }
        return ended == process
    }

    /// The client's output so far, in lines.
    func said() throws -> [String] {
        String(decoding: try MemoryFile.contents(of: output), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Waits until the client's last line of output is this one.
    func waitFor(_ line: String) throws -> [String] {
        try eventually("the client's word “\(line)”") {
            let said = try said()
            return said.last == line ? said : nil
        }
    }

    /// A process that descends from this one and has this name; it is waited for.
    func descendant(named name: String) throws -> Int32 {
        try eventually("a process \(name)") {
            var family: Set<Int32> = [process]
            let statuses = processes().compactMap(ProcessStatus.init)
            // Children may have smaller numbers than their parents.
            for _ in 0..<8 { family.formUnion(statuses.filter { family.contains($0.parent) }.map(\.process)) }
            return statuses.first { family.contains($0.process) && $0.name == name }?.process
        }
    }

    /// Descendants of this process that still run.
    func survivors() -> [Int32] {
        let marker = Array(marker.utf8)
        return processes().filter { process in
            guard let file = try? Descriptor.open("/proc/\(process)/environ", flags: O_RDONLY),
                let environment = try? MemoryFile.contents(of: file)
            else { return false }
            return environment.split(separator: 0).contains { $0.elementsEqual(marker) }
        }
    }
}

/// The contents of /proc/N/stat, which is world-readable.
struct ProcessStatus {
    let process: Int32
    let parent: Int32
    let name: String

    init?(_ process: Int32) {
        guard let text = try? readFile("/proc/\(process)/stat"), let start = text.firstIndex(of: "("),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let rest = text[end...].split(separator: " ")
        guard rest.count > 2, let parent = Int32(rest[2]) else { return nil }
        self.process = process
        self.parent = parent
        name = String(text[text.index(after: start)..<end])
    }
}

/// Every process that can be seen.
func processes() -> [Int32] {
    guard let folder = unsafe opendir("/proc") else { return [] }
    defer { unsafe closedir(folder) }
    var numbers: [Int32] = []
    while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            unsafe String(cString: bytes.assumingMemoryBound(to: CChar.self).baseAddress!)
        }
        if let number = Int32(name) { numbers.append(number) }
    }
    return numbers
}

func readLink(_ path: String) throws -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe readlink(path, bytes.assumingMemoryBound(to: CChar.self).baseAddress!, bytes.count)
    }
    if count < 0 { throw SystemError("readlink", Errno(errno), what: path) }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
}

func readFile(_ path: String) throws -> String {
    String(decoding: try MemoryFile.contents(of: Descriptor.open(path, flags: O_RDONLY)), as: UTF8.self)
}

struct NeverHappened: Error {
    let what: String
}

/// Waits for something that another process does.
func eventually<Value>(_ what: String, _ body: () throws -> Value?) throws -> Value {
    let deadline = MonotonicClock.now() + .seconds(60)
    while MonotonicClock.now() < deadline {
        if let value = try body() { return value }
        usleep(2000)
    }
    throw NeverHappened(what: what)
}
