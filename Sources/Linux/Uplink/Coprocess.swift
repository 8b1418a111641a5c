// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LinuxNet
internal import Sandbox
internal import Wire

/// A shell script that runs beside this process, and cleans up when this one has ended for any reason.
///
/// Theory of operation. The script's standard input, output and error are one end of a socket whose other end only this process has: when
/// the script reads the end of its input, this process has closed it or has ended. The script is in its own process group, so that it gets
/// no signals from a terminal. It keeps the rights that this process had at its start. The script defines the meaning of the lines that it
/// reads.
struct Coprocess: ~Copyable, Sendable {
    private let socket: Descriptor
    private let process: pid_t

    /// The beginning of every script: only the end of its input ends it, and it finds programs that are not in an ordinary user's PATH
    /// (nft is in /usr/sbin).
    private static let prologue = """
        trap '' HUP INT QUIT TERM
        PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

        """

    /// - Parameters:
    ///   - arguments: `$1` and so on.
    ///   - kept: a descriptor that stays open until the script has ended, as number 3 there.
    init(_ script: String, arguments: [String] = [], keeping kept: Int32? = nil) throws(SystemError) {
        var ends: (ours: Int32, its: Int32) = (-1, -1)
        let status = unsafe withUnsafeMutableBytes(of: &ends) {
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            return unsafe socketpair(AF_UNIX, kind, 0, $0.assumingMemoryBound(to: Int32.self).baseAddress!)
        }
        if status != 0 { throw SystemError("socketpair", Errno(errno)) }
        let ours = Descriptor(owning: ends.ours)
        let its = Descriptor(owning: ends.its)

        let words = ["/bin/sh", "-c", Self.prologue + script, "nat64sim"] + arguments
        var shell = Spawning("/bin/sh", arguments: words.map { OSString($0) })
        shell.descriptors = (0...2).map { (number: $0, descriptor: its.number) }
        if let kept { shell.descriptors.append((number: 3, descriptor: kept)) }
        shell.hasOwnGroup = true
        // A shell that ignores SIGCHLD waits for its children for ever; and pasta ends at once if SIGPIPE is already ignored, as many
        // runtimes do.
        shell.heeded = .brokenPipe
        let process = try shell.start()
        socket = ours
        self.process = process
    }

    /// Writes a line for the script to read. If the script has ended, the next read reports that.
    borrowing func send(_ line: String) {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno != EINTR { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Why reading the script's output has ended.
    enum Outcome: Hashable {
        case enough
        case timeUp
        /// The script has ended.
        case end
    }

    /// Appends the script's output to `text`, until `isEnough`.
    borrowing func receive(_ text: inout [UInt8], until deadline: Instant, isEnough: ([UInt8]) -> Bool) -> Outcome {
        var octet: UInt8 = 0
        while waitForInput(socket.number, until: deadline) {
            let count = unsafe read(socket.number, &octet, 1)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 || text.count == Self.maximumTextLength { return .end }
            text.append(octet)
            if isEnough(text) { return .enough }
        }
        return .timeUp
    }

    private static let maximumTextLength = 1 << 16

    /// Waits until the script prints this line.
    /// - Returns: `nil`, or the lines that it printed instead.
    borrowing func wait(for line: String, until deadline: Instant) -> [String]? {
        var text: [UInt8] = []
        let outcome = receive(&text, until: deadline) { $0.last == UInt8(ascii: "\n") && Self.lines($0).last == line }
        return outcome == .enough ? nil : Self.lines(text)
    }

    static func lines(_ text: [UInt8]) -> [String] {
        String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Closes the script's input, and waits until it has cleaned up.
    consuming func end() {}

    deinit {
        shutdown(socket.number, Int32(SHUT_WR))
        // The socket closes when the script ends: no other process has its end. A script that hangs is abandoned.
        let deadline = MonotonicClock.now() + .seconds(5)
        var hasEnded = false
        var octet: UInt8 = 0
        while !hasEnded, waitForInput(socket.number, until: deadline) {
            hasEnded = unsafe read(socket.number, &octet, 1) <= 0
        }
        waitpid(process, nil, hasEnded ? 0 : WNOHANG)
    }
}
