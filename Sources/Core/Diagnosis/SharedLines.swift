import Evidence
import Text

extension Runs {
    /// The same, in which every run has the lines that any has.
    ///
    /// The first run is not traced, unless that is asked for, and so its lookups have a module and an offset alone. The run that confirms
    /// it is, and the same client has the same function there.
    package var withSharedLines: Runs {
        var known: [Place: CallSite] = [:]
        for lookup in all.flatMap(\.lookups) where lookup.site.function != nil || lookup.site.file != nil {
            guard let place = Place(lookup) else { continue }
            // A line goes before a symbol.
            if known[place]?.file == nil { known[place] = lookup.site }
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

    init?(_ lookup: Lookup) {
        guard let module = lookup.site.module, let offset = lookup.site.offset else { return nil }
        self.module = baseName(module)
        self.offset = offset
        guard StackFrame(module: module).isOfLibrary else { return }
        (node, hints) = (lookup.node, lookup.hints)
    }
}

extension RunEvidence {
    fileprivate mutating func takeLines(_ known: [Place: CallSite]) {
        for index in lookups.indices where lookups[index].site.file == nil {
            guard let site = Place(lookups[index]).flatMap({ known[$0] }) else { continue }
            lookups[index].site.function = site.function
            lookups[index].site.file = site.file
            lookups[index].site.line = site.line
        }
    }
}
