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
    /// The last line that may be the message of the frames below it.
    private var head = ""

    private static let errorLimit = 16
    private static let frameLimit = 64
    private static let messageLimit = 160

    /// The errors, in the order of their last lines; at most the last 16.
    static func errors(in text: String) -> [PrintedError] {
        var reader = PrintedErrorReader()
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            reader.read(plain(line.prefix(2000)))
        }
        reader.close()
        return reader.errors
    }

    private mutating func read(_ line: Substring) {
        let isIndented = line.first.map { $0 == " " || $0 == "\t" } ?? false
        if line.hasPrefix("Traceback (most recent call last)") {
            close()
            (isOfPython, open) = (true, PrintedError(message: "", frames: []))
        } else if isOfPython {
            readPython(line, isIndented: isIndented)
        } else if line.allSatisfy(\.isWhitespace) {
            awaitsMessage = false
        } else if let place = PrintedPlace(in: line) {
            if isIndented || Self.isNumbered(line) {
                add(place.frame)
            } else {
                begin(at: place)
            }
        } else if isIndented {
            // Node: what the message is about.
            let detail = line.trimmed(of: " \t,")
            if detail.hasPrefix("input: "), let message = open?.message {
                open?.message = Self.message("\(message), \(detail)")
            }
        } else if !Self.isOfStack(line) {
            if awaitsMessage {
                open?.message = Self.message(line)
                awaitsMessage = false
            } else {
                close()
                head = Self.message(line)
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

    private mutating func begin(at place: PrintedPlace) {
        close()
        var message = place.after
        // The column.
        if message.first == ":", message.dropFirst().first?.isNumber == true {
            message = message.dropFirst().drop(while: \.isNumber)
        }
        message = message.trimmed(of: " :.,;)")
        if place.frame.function != nil, let end = place.after.ranges(of: "': ").first {
            message = place.after[end.upperBound...]
        }
        awaitsMessage = place.before.hasSuffix("panicked at ")
        if message.isEmpty || place.before.hasSuffix(" at ") || place.before.hasSuffix(" in ") {
            message = place.before.trimmed(of: " :,(\t")
            for word in [" at", " in"] where message.hasSuffix(word) { message = message.dropLast(word.count) }
        }
        open = PrintedError(message: Self.message(message), frames: [place.frame])
    }

    private mutating func add(_ frame: StackFrame) {
        if open == nil { open = PrintedError(message: head, frames: []) }
        if open?.frames.count ?? 0 < Self.frameLimit { open?.frames.append(frame) }
    }

    private mutating func close() {
        if let error = open, !error.frames.isEmpty {
            if errors.count == Self.errorLimit { errors.removeFirst() }
            errors.append(error)
        }
        (open, isOfPython, awaitsMessage, head) = (nil, false, false, "")
    }

    /// `#0 main`, `0 0x7f main`: a frame of PHP, of a sanitizer, of Swift.
    private static func isNumbered(_ line: Substring) -> Bool {
        if line.first == "#" { return true }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        return !digits.isEmpty && line.dropFirst(digits.count).first == " "
    }

    /// Whether a line stands in a stack, or over one, without being a frame or a message: `goroutine 1 [running]:`, `main.key({…})`.
    private static func isOfStack(_ line: Substring) -> Bool {
        if isNumbered(line)
            || ["\"", "goroutine ", "created by ", "CallStack", "[signal "].contains(where: line.hasPrefix)
        {
            return true
        }
        let lowered = line.lowercased()
        if ["stack trace:", "stack traceback:", "stack backtrace:"].contains(where: lowered.hasSuffix) { return true }
        guard line.last == ")", let bracket = line.firstIndex(of: "(") else { return false }
        return !line[..<bracket].contains(" ")
    }

    private static func message(_ text: Substring) -> String {
        let text = text.trimmed(of: " \t")
        return text.count > messageLimit ? text.prefix(messageLimit) + "…" : String(text)
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
