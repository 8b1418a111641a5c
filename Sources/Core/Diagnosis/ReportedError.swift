// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

/// An error that the client reported in its output, with a line of its own source.
struct ReportedError {
    let message: String
    let site: CallSite

    fileprivate init?(_ printed: PrintedError) {
        guard let frame = printed.frames.own, frame.line != nil, !frame.isOfLibrary else { return nil }
        message = printed.message
        site = CallSite(function: frame.function, file: frame.file, line: frame.line)
    }

    /// `It reported "bad octet: 64:ff9b::c633:640a" in key (peers.rb:3).`
    var statement: Statement {
        message.isEmpty ? "It reported an error in \(site)." : "It reported \"\(text: message)\" in \(site)."
    }

    /// Where and what, without what differs from run to run.
    private var essence: [String] {
        [baseName(site.file ?? ""), "\(site.line ?? 0)", message.filter { $0.isLetter && !$0.isHexDigit }]
    }

    fileprivate func isSame(as other: ReportedError) -> Bool { essence == other.essence }
}

extension Examination {
    /// The last error that the client reported here and not on dual-stack. The user's own run keeps its output to itself: a further run
    /// shows the error.
    var reportedError: ReportedError? {
        let here = ([run, again].compactMap(\.self) + setAside.filter { $0.network == run.network })
            .lazy.map(\.printedErrors).first { !$0.isEmpty }
        let there = ([control].compactMap(\.self) + setAside.filter { $0.network == .dualStack })
            .flatMap(\.printedErrors).compactMap(ReportedError.init)
        return here?.compactMap(ReportedError.init).last { error in !there.contains(where: error.isSame) }
    }

    /// The observations of a failure; if none of them has a line, the first one gets that of the error that the client reported.
    func placed(_ observations: [Observation], by rule: Rule) -> [Observation] {
        guard !run.end.isSuccess, rule.severity == .error, let error = reportedError else { return observations }
        let hasLine = observations.contains { $0.site?.line != nil }
        // The place of a look-up does not show why its answer is not used.
        guard !hasLine || rule == .ignoresIPv6Answer else { return observations }
        var placed = observations
        placed[0].statement = "\(placed[0].statement) \(error.statement)"
        if !hasLine {
            let program = placed[0].site?.program
            placed[0].site = error.site
            placed[0].site?.program = program
        }
        return placed
    }
}
