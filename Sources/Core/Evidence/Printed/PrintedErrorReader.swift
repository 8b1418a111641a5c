// SPDX-License-Identifier: Apache-2.0
/// Finds the errors in a program's output.
///
/// Theory of operation. A line with a place is an error of its own (`lua: client.lua:12: bad peer`), or, if it is indented or numbered, a
/// frame of the error that the line before the stack tells. Python alone prints the outermost frame first, and the message at the end.
struct PrintedErrorReader {
    private var errors: [PrintedError] = []
    /// The error whose frames are being read.
    private var open: PrintedError?
    /// Whether the open error's message is the next line.
    private var awaitsMessage = false
    private var isOfPython = false
    /// Whether the next error is told as the consequence of the last one.
    private var isConsequence = false
    /// The last line that may be the message of the frames below it.
    private var head = ""
    /// The last line in which pytest tells what was raised or asserted.
    private var assertion = ""

    private static let errorLimit = 16
    private static let frameLimit = 64
    private static let messageLimit = 160

    /// The errors, in the order of their last lines; at most the last 16.
    static func errors(in text: String) -> [PrintedError] {
        var reader = PrintedErrorReader()
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = plain(line.prefix(2000))
            guard line.first == "{" else {
                reader.read(line)
                continue
            }
            // A log in JSON holds a stack as a string.
            for part in line.replacing("\\n", with: "\n").replacing("\\\"", with: "\"").split(separator: "\n") {
                reader.read(part.trimmed(of: "\"}"))
            }
        }
        reader.close()
        return reader.errors
    }

    /// The last lines of a text, shortened, at most 20.
    static func lastLines(of text: String) -> [PrintedLine] {
        let lines = text.split(whereSeparator: \.isNewline).suffix(40).map { message(plain($0.prefix(2000))) }
        return lines.filter { !$0.isEmpty }.suffix(20).map { PrintedLine(text: $0) }
    }

    private mutating func read(_ text: Substring) {
        let line = Self.withoutMargin(text)
        let isIndented = line.first.map { $0 == " " || $0 == "\t" } ?? false
        if line.hasSuffix("Traceback (most recent call last):") {
            close()
            (isOfPython, open) = (true, PrintedError(message: "", frames: []))
        } else if isOfPython {
            readPython(line, isIndented: isIndented)
        } else if line.hasPrefix("E   ") {
            assertion = Self.message(line.dropFirst(4))
            if open?.message.hasPrefix("in ") == true { open?.message = assertion }
        } else if ["future: <", "task: <"].contains(where: line.hasPrefix) {
            // asyncio names the task before the stack of its error.
            close()
        } else if line.allSatisfy(\.isWhitespace) {
            awaitsMessage = false
        } else if let place = PrintedPlace(in: line) {
            if place.isFrame(isIndented: isIndented || Self.isNumbered(line)) {
                add(place.frame)
            } else {
                begin(at: place)
            }
        } else if isIndented {
            readDetail(line.trimmed(of: " \t,"))
        } else if !Self.isOfStack(line) {
            if awaitsMessage {
                let start = open?.message ?? ""
                open?.message = Self.message((start.isEmpty ? "" : start + ": ") + line)
                awaitsMessage = false
            } else {
                close()
                head = Self.message(line)
                // Python, and the libraries that run a child.
                isConsequence = ["The above exception was", "During handling of the above"].contains(
                    where: line.hasPrefix)
            }
        }
    }

    private mutating func readPython(_ line: Substring, isIndented: Bool) {
        if isIndented {
            // The text of a line of source may hold anything.
            guard line.trimmed(of: " ").hasPrefix("File \""), let place = PrintedPlace(in: line) else { return }
            open?.frames.insert(place.frame, at: 0)
            if open?.frames.count ?? 0 > Self.frameLimit { open?.frames.removeLast() }
        } else {
            open?.message = Self.message(line)
            close()
        }
    }

    /// A line without a place within an error of Node: the value that the message is about, or the cause.
    private mutating func readDetail(_ line: Substring) {
        if line.hasPrefix("input: "), let message = open?.message {
            open?.message = Self.message("\(message), \(line)")
        } else if line.hasPrefix("[cause]: ") {
            close()
            head = Self.message(line.dropFirst(9))
        }
    }

    private mutating func begin(at place: PrintedPlace) {
        let before = head
        close()
        let message = place.message
        awaitsMessage = message.isUnfinished
        // PHP tells a cause first.
        isConsequence = isConsequence || place.before.hasPrefix("Next ")
        var text = message.text.isEmpty && !awaitsMessage ? before : Self.message(message.text)
        if !text.isEmpty, assertion.hasPrefix(text) { text = assertion }
        open = PrintedError(message: text, frames: [place.frame])
    }

    private mutating func add(_ frame: StackFrame) {
        if open == nil { open = PrintedError(message: head, frames: []) }
        if open?.frames.count ?? 0 < Self.frameLimit { open?.frames.append(frame) }
    }

    private mutating func close() {
        if var error = open, !error.frames.isEmpty {
            if errors.count == Self.errorLimit { errors.removeFirst() }
            error.isConsequence = isConsequence || Self.tellsOfChild(error.message)
            errors.append(error)
            isConsequence = false
        }
        (open, isOfPython, awaitsMessage, head) = (nil, false, false, "")
    }

    /// Whether a message says only that a child, which had its own words, has failed.
    private static func tellsOfChild(_ message: String) -> Bool {
        ["Command failed: ", "returned non-zero exit status "].contains(where: message.contains)
    }

    /// `#0 main`, `0 0x7f main`: a frame of PHP, of a sanitizer, of Swift.
    private static func isNumbered(_ line: Substring) -> Bool {
        let rest = line.first == "#" ? line.dropFirst() : line
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        return !digits.isEmpty && rest.dropFirst(digits.count).first == " "
    }

    /// Whether a line stands in a stack, or over one, without being a frame or a message: `goroutine 1 [running]:`, `main.key({…})`.
    private static func isOfStack(_ line: Substring) -> Bool {
        let starts = ["\"", "goroutine ", "[originating from goroutine ", "created by ", "CallStack", "[signal "]
        if isNumbered(line) || starts.contains(where: line.hasPrefix) { return true }
        let lowered = line.lowercased()
        if ["stack trace:", "stack traceback:", "stack backtrace:"].contains(where: lowered.hasSuffix) { return true }
        guard line.last == ")", let bracket = line.firstIndex(of: "(") else { return false }
        return !line[..<bracket].contains(" ")
    }

    private static func message(_ text: Substring) -> String {
        let text = text.trimmed(of: " \t")
        return text.count > messageLimit ? text.prefix(messageLimit) + "…" : String(text)
    }

    /// The line without the margin of Python's groups of exceptions (`  | Traceback …`) and of TAP's comments (`#   at …`).
    private static func withoutMargin(_ line: Substring) -> Substring {
        if line.hasPrefix("# ") { return line.trimmed(of: "# ") }
        let rest = line.drop { $0 == " " }
        guard let mark = rest.first, mark == "|" || mark == "+", rest.dropFirst().first == " " else { return line }
        return rest.dropFirst(2)
    }

    /// The line without what colours it in a terminal (ECMA-48 §5.4).
    private static func plain(_ line: Substring) -> Substring {
        guard line.utf8.contains(0x1b) else { return line }
        var plain = ""
        var rest = line
        while let escape = rest.firstIndex(of: "\u{1b}") {
            plain += rest[..<escape]
            rest = rest[escape...].dropFirst()
            guard rest.first == "[" else { continue }
            rest = rest.dropFirst().drop { $0.isASCII && !$0.isLetter }.dropFirst()
        }
        return plain[...] + rest
    }
}
