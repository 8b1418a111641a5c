// SPDX-License-Identifier: Apache-2.0
import Evidence
import Glibc
import LinuxNet
import Origins
import Sandbox
import Text
import Translation
import Wire

/// Opens files that a traced client may have its addresses from. They are read as mere octets, within limits.
enum AddressOrigins {
    /// Maximum octets of a file that a program opened, and of an executable or a library.
    private static let fileLimit = 1 << 20
    private static let moduleLimit = 64 << 20
    /// Maximum number of files that are opened, and of octets read from modules and from sources in total.
    private static let limits = (files: 200, moduleOctets: 64 << 20, sourceOctets: 16 << 20)

    /// - Parameters:
    ///   - environment: the user's.
    ///   - prefixes: the NAT64's, in presentation format.
    static func complete(_ run: inout RunEvidence, _ environment: Environment, prefixes: [String]) {
        let pref64s = prefixes.compactMap { try? Pref64($0) }
        let payloads = run.seen.payloads ?? PayloadRecord()
        // The payloads are large, and not used after this.
        run.seen.payloads = nil
        run.omittedPayload = payloads.omitted
        run.payloadFacts = PayloadReader(payloads, run.names).facts
        guard let calls = run.calls, var finder = OriginFinder(run, prefixes: pref64s) else { return }
        for (name, value) in environment.variables { finder.search(variable: name, value: value) }
        let files = inOrderOfSearch(calls)
        for file in files.prefix(limits.files) {
            // The interpreter opens the compiled form of a source; only the source shows the line.
            if let source = Self.source(ofCompiled: file.path), let octets = contents(source, limit: fileLimit) {
                finder.search(file: octets, path: source, openedAt: file.time)
            }
            if let octets = contents(file.path, limit: fileLimit) {
                finder.search(file: octets, path: file.path, openedAt: file.time)
            }
        }
        for conversation in payloads.conversations {
            finder.search(conversation, of: run.names[conversation])
        }
        var left = limits.moduleOctets
        let modules = modules(calls)
        let failing = calls.calls.filter { $0.error != nil }.compactMap(\.address?.ip)
        let asked = failing + run.lookups.compactMap(\.literal).map(IPAddress.ipv4)
        for path in modules.own + modules.others {
            // Libraries, interpreters and compilers are large, and hardly ever have the address that is asked for.
            if path == modules.others.first, !asked.contains(where: finder.lacksOrigin) { break }
            guard let octets = contents(path, limit: min(moduleLimit, left)) else { continue }
            left -= octets.count
            finder.search(module: octets, path: path)
        }
        searchSources(of: calls, for: &finder)
        finder.complete(&run)
        if files.count > limits.files,
            run.calls?.calls.contains(where: { $0.address?.ip != nil && $0.error != nil && $0.origin == nil }) == true
        {
            run.calls?.gaps.append(
                "\(files.count) files were opened, and \(limits.files) of them searched for where addresses are from.")
        }
    }

    /// Files that are no library's first, and of these the files of programs that called with an address: a compiler before them may have
    /// opened hundreds, and its call to nscd has no such address.
    private static func inOrderOfSearch(_ calls: CallEvidence) -> [OpenedFile] {
        if calls.openedFiles.count <= limits.files { return calls.openedFiles }
        let callers = Set(calls.calls.filter { $0.address?.ip != nil }.map(\.program))
        let opened = calls.openedFiles
        let ranks = opened.map { file in
            (StackFrame(file: file.path).isOfLibrary ? 2 : 0) + (callers.contains(file.program) ? 0 : 1)
        }
        return opened.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { opened[$0] }
    }

    /// Searches the sources of programs and of Java classes for an address, if they still exist.
    private static func searchSources(of calls: CallEvidence, for finder: inout OriginFinder) {
        let found = finder.modulesWithAddresses
        let lacking = calls.calls.filter { call in call.address?.ip.map(finder.lacksOrigin) == true }
        let others = lacking.compactMap { calls.program(of: $0)?.executable }.filter {
            interpreterName(of: baseName($0)) == nil
        }
        let modules = found + Set(others).subtracting(found).sorted()
        // A class makes an array of octets by an instruction for each.
        let opened = lacking.isEmpty ? [] : calls.openedFiles.map(\.path).filter { $0.hasSuffix(".class") }
        let classes = finder.classesWithAddresses.isEmpty ? opened : finder.classesWithAddresses
        let compiled =
            (modules.isEmpty ? [] : Array(zip(modules, LinesProcess.sources(of: modules))))
            + zip(classes, classes.map(ClassFile.sources))
        var left = limits.sourceOctets
        for (module, paths) in compiled {
            var sources: [String: [UInt8]] = [:]
            for path in paths.prefix(limits.files) where path.hasPrefix("/") && sources[path] == nil {
                guard let octets = contents(path, limit: min(fileLimit, left)) else { continue }
                left -= octets.count
                sources[path] = octets
            }
            finder.search(sources: sources, of: module)
        }
    }

    /// The executables, and the objects on the stacks of calls, each once: those that called with an address, without libraries and
    /// interpreters; and the others, as a compiler that made them.
    private static func modules(_ calls: CallEvidence) -> (own: [String], others: [String]) {
        let callers = calls.calls.filter { $0.address?.ip != nil }
        let calling = Set(
            callers.compactMap { calls.program(of: $0)?.executable } + callers.flatMap(\.frames).compactMap(\.module))
        var known: Set<String> = []
        let frames = calls.calls.flatMap(\.frames).compactMap(\.module)
        let all = (calls.programs.map(\.executable) + frames).filter {
            $0.hasPrefix("/") && !baseName($0).hasPrefix("libipv6synth") && known.insert($0).inserted
        }.prefix(limits.files)
        func isOwn(_ module: String) -> Bool { calling.contains(module) && !StackFrame(module: module).isOfLibrary }
        return (all.filter(isOwn), all.filter { !isOwn($0) })
    }

    /// `/app/net.py` for `/app/__pycache__/net.cpython-311.pyc` (PEP 3147).
    static func source(ofCompiled path: String) -> String? {
        let words = path.split(separator: "/")
        guard let name = words.last, name.hasSuffix(".pyc"), words.dropLast().last == "__pycache__" else { return nil }
        let folder = words.dropLast(2).map { "/\($0)" }.joined()
        return name.split(separator: ".").first.map { "\(folder)/\($0).py" }
    }

    /// `nil` if it is no regular file, cannot be read or is longer.
    static func contents(_ path: String, limit: Int) -> [UInt8]? {
        let contents = try? Descriptor.contents(ofRegularFile: path, limit: limit + 1)
        return contents.flatMap { $0.count <= limit ? $0 : nil }
    }
}
