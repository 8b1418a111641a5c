import Glibc

/// What the user is told beside the output: on the standard error stream.
enum Message {
    static func show(_ text: String) {
        let line = text + "\n"
        unsafe write(STDERR_FILENO, line, line.utf8.count)
    }
}

/// What the user asked for: on the standard output stream, at once.
enum Output {
    /// Ends the process quietly where nobody reads any more, as `head` does not.
    static func show(_ octets: [UInt8]) {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                exit(ExitStatus.noSuccess.rawValue)
            }
            rest = rest.dropFirst(count)
        }
    }

    static func show(_ text: String) { show(Array((text + "\n").utf8)) }
}
