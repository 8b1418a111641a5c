// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence

extension Examination {
    /// The place where the client looks a name up: the call of the C library, else the interpreter's own report, else the question to a
    /// name server if all questions are from one place. `nil` if no line is known.
    func site(ofLookupOf name: DomainName) -> CallSite? {
        let called = (run.lookups + (again?.lookups ?? [])).first {
            // A language's own library looks names up on behalf of the program (Rust's std).
            $0.site.file != nil && !StackFrame(function: $0.site.function, file: $0.site.file).isOfLibrary
                && $0.node.flatMap { try? DomainName($0) } == name
        }
        return called?.site ?? announcedSite(of: name) ?? siteOfQuestions(for: name)
    }

    /// ` It looked the name up in resolve (guard.rb:16).`; empty if no file is known.
    func lookupPlace(_ site: CallSite?) -> Statement {
        guard var site, site.file != nil else { return "" }
        site.program = nil
        return " It looked the name up in \(site)."
    }

    private func announcedSite(of name: DomainName) -> CallSite? {
        let evidence = traced
        for announced in evidence.announced where (try? DomainName(announced.host)) == name {
            guard let frame = announced.frames.own, frame.file != nil else { continue }
            return CallSite(function: frame.function, file: frame.file, line: frame.line)
        }
        return nil
    }

    /// The place of the questions to a name server. The C library asks on behalf of its callers, and its later questions look like its
    /// first: its questions count only if the client asked for no other name.
    private func siteOfQuestions(for name: DomainName) -> CallSite? {
        let isOnly = run.seen.questions.allSatisfy { $0.name == name }
        let calls = (isOnly ? traced.calls : traced.attempts).filter { $0.isAttempt && $0.address?.port == 53 }
        let sites = calls.map { $0.site(in: traced) }.filter { $0.file != nil }.unique
        return isOnly || sites.count == 1 ? sites.first : nil
    }
}
