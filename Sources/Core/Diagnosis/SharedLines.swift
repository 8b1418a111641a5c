import Evidence
import Text

extension Runs {
    /// The same, in which every run has the lines that any has.
    ///
    /// The first run is not traced, unless that is asked for, and so its lookups have a module and an offset alone. The run that confirms
    /// it is, and the same client has the same function there.
    package var withSharedLines: Runs {
        var known: [Place: CallSite] = [:]
        for site in all.flatMap(\.lookups).map(\.site) where site.function != nil || site.file != nil {
            guard let place = Place(site) else { continue }
            // A line goes before a symbol.
            if known[place]?.file == nil { known[place] = site }
        }
        var runs = self
        if known.isEmpty { return runs }
        runs.first.takeLines(known)
        runs.again?.takeLines(known)
        runs.control?.takeLines(known)
        runs.withoutSynthesis?.takeLines(known)
        return runs
    }
}

/// Where in a file code is, whichever run and whichever process has it in memory. Not by the file's folder: a suite gives each run one of
/// its own, in which a client may have been compiled.
private struct Place: Hashable {
    var module: String
    var offset: Int

    init?(_ site: CallSite) {
        guard let module = site.module, let offset = site.offset else { return nil }
        self.module = baseName(module)
        self.offset = offset
    }
}

extension RunEvidence {
    fileprivate mutating func takeLines(_ known: [Place: CallSite]) {
        for index in lookups.indices where lookups[index].site.file == nil {
            guard let site = Place(lookups[index].site).flatMap({ known[$0] }) else { continue }
            lookups[index].site.function = site.function
            lookups[index].site.file = site.file
            lookups[index].site.line = site.line
        }
    }
}
