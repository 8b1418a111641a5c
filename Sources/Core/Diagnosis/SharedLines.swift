// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

extension Runs {
    /// The same runs, with every line that is known from any of them in all.
    ///
    /// The first run is not traced by default, so its lookups have only a module and an offset. The run that confirms it is traced, and the
    /// same client has the same function there.
    package var withSharedLines: Runs {
        var runs = self
        runs.first.leaveLibraries()
        runs.again?.leaveLibraries()
        runs.control?.leaveLibraries()
        var known: [Place: [CallSite]] = [:]
        for lookup in runs.all.flatMap(\.lookups) where lookup.site.function != nil || lookup.site.file != nil {
            guard let place = Place(lookup) else { continue }
            let sites = known[place] ?? []
            // A line is preferred to a symbol.
            if sites.allSatisfy({ $0.file == nil }) {
                known[place] = [lookup.site]
            } else if place.isOfInterpreter, lookup.site.file != nil,
                !sites.contains(where: { $0.hasLine(of: lookup.site) })
            {
                known[place] = sites + [lookup.site]
            }
        }
        if known.isEmpty { return runs }
        runs.first.takeLines(known)
        runs.again?.takeLines(known)
        runs.control?.takeLines(known)
        runs.later?.takeLines(known)
        runs.withoutSynthesis?.takeLines(known)
        return runs
    }
}

/// A location of code in a file, the same for every run and process. The folder of the file does not count: a suite gives each run its own,
/// in which a client may have been compiled.
private struct Place: Hashable {
    var module: String
    var offset: Int
    /// The name of the lookup, for interpreters only: it distinguishes lines of the program, while the location does not.
    var node: String?
    var hints: LookupHints?

    /// Whether the location may mean many places of the program.
    let isOfInterpreter: Bool

    init?(_ lookup: Lookup) {
        guard let module = lookup.site.module, let offset = lookup.site.offset else { return nil }
        self.module = baseName(module)
        self.offset = offset
        isOfInterpreter = StackFrame(module: module).isOfLibrary
        guard isOfInterpreter else { return }
        (node, hints) = (lookup.node, lookup.hints)
    }
}

extension RunEvidence {
    /// The preloaded library sees the immediate caller of getaddrinfo, which may be a library that is compiled into the client (Boost, OCaml's
    /// Unix). The stack of the question to the name server shows the client's own line behind it.
    fileprivate mutating func leaveLibraries() {
        guard let questions = calls?.calls.filter({ $0.isAttempt && $0.address?.port == 53 }), !questions.isEmpty else {
            return
        }
        for index in lookups.indices {
            let site = lookups[index].site
            guard site.line != nil, StackFrame(function: site.function, file: site.file).isOfLibrary else { continue }
            let stacks = questions.lazy.map(\.frames).filter { frames in
                frames.contains { $0.file == site.file && $0.line == site.line }
            }
            guard let own = stacks.compactMap(\.own).first, own.line != nil, !own.isOfLibrary else { continue }
            lookups[index].site.stand(at: own)
        }
    }

    /// Adds lines to lookups without one. A lookup of an interpreter may match several lines: it is repeated for each.
    fileprivate mutating func takeLines(_ known: [Place: [CallSite]]) {
        lookups = lookups.flatMap { lookup -> [Lookup] in
            guard lookup.site.file == nil, let sites = Place(lookup).flatMap({ known[$0] }) else { return [lookup] }
            return sites.map { site in
                var lookup = lookup
                (lookup.site.function, lookup.site.file, lookup.site.line) = (site.function, site.file, site.line)
                return lookup
            }
        }
    }
}

extension CallSite {
    fileprivate func hasLine(of other: CallSite) -> Bool { file == other.file && line == other.line }
}
