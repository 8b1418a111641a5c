// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Sandbox

/// A child process. It is killed when this value is destroyed, unless it has ended.
struct ChildProcess: ~Copyable {
    enum Output {
        /// /dev/null.
        case none
        /// A pipe for `readLine` and `readAll`.
        case read
    }

    let number: Int32
    /// The pipe's end for reading; -1 if there is none.
    private let output: Int32
    private var hasEnded = false
    /// Its resource usage, including the children that it waited for; valid after `wait`.
    private(set) var usage = rusage()

    /// Starts a command; its first word is looked up in PATH.
    init(_ command: [String], output: Output = .none) throws(BenchFailure) {
        let pipe = output == .read ? try Self.makePipe() : (read: -1, write: -1)
        defer { if pipe.write >= 0 { close(pipe.write) } }
        var program = Spawning(command[0], arguments: command.map { OSString($0) })
        do throws(SystemError) {
            let null = try Descriptor.open("/dev/null", flags: O_RDWR)
            program.descriptors =
                switch output {
                case .none: (0...2).map { (number: $0, descriptor: null.number) }
                case .read: [(number: 0, descriptor: null.number), (number: 1, descriptor: pipe.write)]
                }
            number = try program.start()
        } catch {
            if pipe.read >= 0 { close(pipe.read) }
            throw BenchFailure("\(command[0]) cannot be started: \(error.errno)")
        }
        self.output = pipe.read
    }

    private static func makePipe() throws(BenchFailure) -> (read: Int32, write: Int32) {
        var ends: (read: Int32, write: Int32) = (-1, -1)
        let status = unsafe withUnsafeMutableBytes(of: &ends) {
            unsafe pipe($0.assumingMemoryBound(to: Int32.self).baseAddress!)
        }
        if status != 0 { throw BenchFailure("pipe: \(Errno(errno))") }
        _ = fcntl(ends.read, F_SETFD, FD_CLOEXEC)
        _ = fcntl(ends.write, F_SETFD, FD_CLOEXEC)
        return ends
    }

    /// Waits for its end. Returns the exit code, or 128 plus the number of the signal.
    mutating func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe wait4(number, &status, 0, &usage) < 0 && errno == EINTR {}
        hasEnded = true
        let signal = status & 0x7f
        return signal == 0 ? status >> 8 & 0xff : 128 + signal
    }

    /// The next line of its output, or the rest without a newline; empty if the output is not read.
    func readLine() -> String {
        var line: [UInt8] = []
        while let octet = readOctet() {
            line.append(octet)
            if octet == UInt8(ascii: "\n") { break }
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// All its output until its end.
    func readAll() -> String {
        var text = ""
        while true {
            let line = readLine()
            if line.isEmpty { return text }
            text += line
        }
    }

    private func readOctet() -> UInt8? {
        var octet: UInt8 = 0
        while true {
            let count = unsafe read(output, &octet, 1)
            if count == 1 { return octet }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    /// Kills it.
    consuming func end() {}

    deinit {
        if output >= 0 { close(output) }
        if hasEnded { return }
        kill(number, SIGKILL)
        waitpid(number, nil, 0)
    }
}

extension ChildProcess {
    /// Runs a command to its end, and returns its output.
    @discardableResult
    static func run(_ command: String...) throws(BenchFailure) -> String {
        try run(command)
    }

    @discardableResult
    static func run(_ command: [String]) throws(BenchFailure) -> String {
        var process = try ChildProcess(command, output: .read)
        let text = process.readAll()
        let status = process.wait()
        if status != 0 { throw BenchFailure("\(command.joined(separator: " ")): exit code \(status)") }
        return text
    }

    /// Starts a command that does not outlive this process, even if this process is killed.
    static func service(_ command: String..., output: Output = .none) throws(BenchFailure) -> ChildProcess {
        try ChildProcess(["setpriv", "--pdeathsig", "KILL"] + command, output: output)
    }
}

/// The reason why something could not be measured.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
