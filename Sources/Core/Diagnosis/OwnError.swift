// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

/// An error that shows at a line of the client's own source, without a call to the network: it printed one, ended itself, crashed, or left
/// words that are in its source.
struct OwnError {
    let deed: Deed
    let site: CallSite

    enum Deed: Hashable {
        case reported(String)
        case ended(ExitOutcome)
        case said(String)
    }

    fileprivate init?(_ printed: PrintedError) {
        guard let frame = printed.frames.own, frame.line != nil, !frame.isOfLibrary else { return nil }
        deed = .reported(printed.message)
        site = CallSite(function: frame.function, file: frame.file, line: frame.line)
    }

    fileprivate init?(_ line: PrintedLine) {
        guard let place = line.place else { return nil }
        deed = .said(line.text)
        site = CallSite(file: place.file, line: place.line)
    }

    fileprivate init?(_ end: TracedEnd, in evidence: CallEvidence) {
        let own = end.frames.fromOwn.filter { $0.line != nil && !$0.isOfLibrary }
        // A function that only ends the program does not show why.
        guard let frame = own.first(where: { !$0.isOfEnding }) ?? own.first else { return nil }
        deed = .ended(end.outcome)
        var site = CallSite(
            program: evidence.programs.indices.contains(end.program)
                ? baseName(evidence.programs[end.program].executable) : nil)
        site.stand(at: frame)
        self.site = site
    }

    /// The message that it printed; empty if it printed none.
    var message: String {
        switch deed {
        case .reported(let message), .said(let message): message
        case .ended: ""
        }
    }

    /// `It reported "bad octet: 64:ff9b::c633:640a" in key (peers.rb:3).`
    var statement: Statement {
        switch deed {
        case .reported(""): "It reported an error in \(place)."
        case .reported(let message): "It reported \"\(text: message)\" in \(place)."
        case .ended(.killed): "It crashed in \(place)."
        case .ended(.exited(let status)): "It ended itself, with exit code \(Int(status)), in \(place)."
        case .ended(.timedOut): "It was ended in \(place)."
        case .said(let words): "Its last words, \"\(text: words)\", are from \(place)."
        }
    }

    private var place: CallSite {
        var place = site
        place.program = nil
        return place
    }

    /// Where and what, without what differs from run to run: of `KeyError: 'x7'` the beginning.
    private var essence: [String] {
        let start = message.ranges(of: ": ").first.map { message[..<$0.lowerBound] } ?? message[...]
        return fileAndLine + [lettersAlone(start)]
    }

    /// The file and the line.
    fileprivate var fileAndLine: [String] { [baseName(site.file ?? ""), "\(site.line ?? 0)"] }

    fileprivate func isSame(as other: OwnError) -> Bool { essence == other.essence }
}

/// Whether words tell that a connection failed.
private func tellsOfConnection(_ words: String) -> Bool {
    let words = words.lowercased()
    return [
        "unreachable", "netunreach", "hostunreach", "connrefused", "connection refused", "no route to host",
        "timed out",
    ].contains(where: words.contains)
}

/// A text without what differs from run to run: numbers, addresses and times.
private func lettersAlone(_ text: some StringProtocol) -> String {
    String(text.filter { $0.isLetter && !$0.isHexDigit })
}

extension StackFrame {
    /// Whether its name says that it ends the program: `die`, `log_fatal`, `usage`.
    fileprivate var isOfEnding: Bool {
        let name = (function?.split(separator: ".").last ?? "").lowercased()
        return ["die", "fatal", "fail", "error", "panic", "abort", "bail", "usage", "quit", "exit"].contains(
            where: name.contains)
    }
}

extension Examination {
    /// The last error that the client reported here and not on dual-stack. The user's own run keeps its output to itself: a further run
    /// shows the error.
    var reportedError: OwnError? {
        let here = ([run, again].compactMap(\.self) + setAside.filter { $0.network == run.network })
            .lazy.map(\.printedErrors).first { !$0.isEmpty }
        let there = ([control].compactMap(\.self) + setAside.filter { $0.network == .dualStack })
            .flatMap(\.printedErrors).compactMap(OwnError.init)
        let errors = (here ?? []).map { (printed: $0, own: OwnError($0)) }
        let new = errors.indices.filter { index in
            errors[index].own.map { error in !there.contains(where: error.isSame) } ?? false
        }
        // A log has the cause in its first line; the last of several stacks ended the program.
        guard var chosen = new.last(where: { errors[$0].printed.hasStack }) ?? new.first else { return nil }
        while errors[chosen].printed.isConsequence, chosen > 0, errors[chosen - 1].own != nil { chosen -= 1 }
        return errors[chosen].own
    }

    /// The last lines that the client printed here and not on dual-stack.
    private var lastLines: [PrintedLine] {
        let here = [run, again].compactMap(\.self).map(\.lastLines).first { !$0.isEmpty } ?? []
        // Where a server turns clients away, their addresses make the difference.
        func essence(_ line: PrintedLine) -> String { run.isProbed ? line.text : lettersAlone(line.text) }
        let there = Set((control?.lastLines ?? []).map(essence))
        return here.filter { !there.contains(essence($0)) }
    }

    /// The messages that the client printed here, and not on dual-stack: its error, then its last lines, from the end.
    var complaints: [String] { [reportedError?.message].compactMap(\.self) + lastLines.reversed().map(\.text) }

    /// The complaint with one of the texts in any case; `nil` if there is none.
    /// - Parameter texts: in lower case.
    func complaint(of texts: [String]) -> String? {
        complaints.first { line in texts.contains(where: line.lowercased().contains) }
    }

    /// The words of a client that passes about an error, with the line if that is known; `nil` if there are none. If it ran here once more
    /// after the control run, it said them then, too.
    ///
    /// An error at a line at which dual-stack had one, too, is none: output of several threads is mixed.
    /// - Parameter ofConnections: whether a connection that failed counts: the calls tell of these.
    func handledError(ofConnections: Bool = false) -> (statement: Statement, site: CallSite?)? {
        func places(_ run: RunEvidence?) -> Set<[String]> {
            Set((run?.printedErrors ?? []).compactMap(OwnError.init).map(\.fileAndLine))
        }
        func essence(_ line: PrintedLine) -> String { lettersAlone(line.text) }
        func counts(_ words: String) -> Bool { ofConnections || !tellsOfConnection(words) }
        let (there, confirmed) = (places(control), later.map(places))
        let error = [run, again].compactMap(\.self).flatMap(\.printedErrors).compactMap(OwnError.init).last { error in
            !there.contains(error.fileAndLine) && counts(error.message)
                && confirmed?.contains(error.fileAndLine) != false
        }
        if let error { return (told(error), error.site) }
        let said = later.map { Set($0.lastLines.map(essence)) }
        let line = lastLines.last { $0.isOfError && counts($0.text) && said?.contains(essence($0)) != false }
        guard let line else { return nil }
        guard let error = OwnError(line) else { return ("It said \"\(text: line.text)\".", nil) }
        return (error.statement, error.site)
    }

    /// The line that tells of an error, or else the last one: a hint, or what is cleaned up, may follow the error.
    private var lastWords: PrintedLine? {
        let words = ["error", "fatal", "panic", "fehler"]
        return lastLines.last { line in words.contains(where: line.text.lowercased().contains) }
            ?? lastLines.last { $0.place != nil } ?? lastLines.last
    }

    /// ` Its last words: "no address".`, with their line if that is known; empty if it printed nothing, or nothing else than on dual-stack.
    var toldWords: Statement {
        guard let line = lastWords else { return "" }
        return OwnError(line).map { " " + $0.statement } ?? " Its last words: \"\(text: line.text)\"."
    }

    /// The statement about an error, with the client's last words unless they are its message. An error that it handled may not be the one
    /// that ended it: words after it, of the client's own source, are told as well.
    func told(_ error: OwnError) -> Statement {
        switch error.deed {
        case .said: return error.statement
        case .ended: return error.statement + toldWords
        case .reported(let message):
            if message.isEmpty { return error.statement + toldWords }
            let start = message.prefix(40)
            let place = lastLines.lastIndex { $0.text.contains(start) }
            let after = place.map { lastLines[($0 + 1)...] } ?? lastLines[...]
            guard let words = after.last(where: { $0.place != nil }).flatMap(OwnError.init) else {
                return error.statement
            }
            return "\(error.statement) \(words.statement)"
        }
    }

    /// The same, or else the line where a program of the client ended itself or crashed, or the line that has its last words.
    var ownError: OwnError? {
        if let reportedError { return reportedError }
        let there = tracedControl.ends.compactMap { OwnError($0, in: tracedControl) }
        let end = traced.ends.lazy.compactMap { OwnError($0, in: traced) }.first { error in
            !there.contains(where: error.isSame)
        }
        return end ?? lastWords.flatMap(OwnError.init)
    }

    /// Whether the client ended here as it did on dual-stack, where it fails, too: with the same status, at the same line, and of the same
    /// error if it had one. Any other failure here did not end it.
    var endsAsOnDualStack: Bool {
        guard failsOnDualStackToo, run.end == control?.end, reportedError == nil else { return false }
        let (here, there) = (
            traced.ends.compactMap { OwnError($0, in: traced) },
            tracedControl.ends.compactMap { OwnError($0, in: tracedControl) }
        )
        guard here.count == there.count, zip(here, there).allSatisfy({ $0.isSame(as: $1) }) else { return false }
        // The last error of an interpreter or a runtime ended the program, and dual-stack had it as well.
        let hasError = [run, again].compactMap(\.self).contains { $0.printedErrors.last.flatMap(OwnError.init) != nil }
        return hasError || !here.isEmpty && lastLines.isEmpty
    }

    /// The observations of a failure; if none of them has a line, the first one gets that of the client's own error.
    func placed(_ observations: [Observation], by rule: Rule) -> [Observation] {
        withIPv4Choice(placedByError(observations, by: rule), by: rule)
    }

    private func placedByError(_ observations: [Observation], by rule: Rule) -> [Observation] {
        // An option of the command line is its own place.
        guard !run.end.isSuccess, rule.severity == .error, rule != .toldIPv4Only, let error = ownError else {
            return observations
        }
        let hasLine = observations.contains { $0.site?.line != nil }
        // The place of a look-up does not show why its answer is not used.
        guard !hasLine || [.ignoresIPv6Answer, .refusesSynthesisedAddress].contains(rule) else { return observations }
        var placed = observations
        placed[0].statement = "\(placed[0].statement) \(told(error))"
        if !hasLine {
            let program = placed[0].site?.program ?? error.site.program
            placed[0].site = error.site
            placed[0].site?.program = program
        }
        return placed
    }
}
