import Glibc

/// What the user is told beside the output: on the standard error stream.
enum Message {
    static func show(_ text: String) {
        let line = text + "\n"
        unsafe write(STDERR_FILENO, line, line.utf8.count)
    }
}
