// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

extension Runs {
    /// The same, in which every run has the lines that any has.
    ///
    /// The first run is not traced, unless that is asked for, and so its lookups have a module and an offset alone. The run that confirms
    /// it is, and the same client has the same function there.
    package var withSharedLines: Runs {
        var known: [Place: [CallSite]] = [:]
        for lookup in all.flatMap(\.lookups) where lookup.site.function != nil || lookup.site.file != nil {
            guard let place = Place(lookup) else { continue }
            let sites = known[place] ?? []
            // A line goes before a symbol.
            if sites.allSatisfy({ $0.file == nil }) {
                known[place] = [lookup.site]
            } else if place.isOfInterpreter, lookup.site.file != nil,
                !sites.contains(where: { $0.hasLine(of: lookup.site) })
            {
                known[place] = sites + [lookup.site]
            }
        }
        var runs = self
        if known.isEmpty { return runs }
        runs.first.takeLines(known)
        runs.again?.takeLines(known)
        runs.control?.takeLines(known)
        runs.later?.takeLines(known)
        runs.withoutSynthesis?.takeLines(known)
        return runs
    }
}

/// Where in a file code is, whichever run and whichever process has it in memory. Not by the file's folder: a suite gives each run one of
/// its own, in which a client may have been compiled.
private struct Place: Hashable {
    var module: String
    var offset: Int
    /// What is asked there. Of an interpreter, it is that which tells one line of the program from another, not the place.
    var node: String?
    var hints: LookupHints?

    /// Whether it stands for many places of the program.
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
    /// One lookup without a line may stand for several of an interpreter's, which have one each.
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
