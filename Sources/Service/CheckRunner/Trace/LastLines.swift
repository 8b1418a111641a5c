// SPDX-License-Identifier: Apache-2.0
import Evidence
import Origins
import Text

extension RunEvidence {
    /// Takes the errors from what the client printed, and finds the lines of its sources that have its last words.
    ///
    /// `sys.exit("no address")` of Python, `abort` of Ruby and `exit` of a shell end a program when its stack is gone.
    /// - Parameter folder: where the client was started.
    package mutating func readOutput(_ output: String, from folder: String) {
        readErrors(in: output, from: folder)
        guard !end.isSuccess || isProbed || lastLines.contains(where: \.isOfError), let calls, !lastLines.isEmpty
        else { return }
        var files = SourceFiles()
        // The last programs first: those before them may be scripts that start an interpreter (pyenv, npm).
        let scripts = files.search(
            in: calls.programs.indices.suffix(64).reversed().flatMap { SourceFiles.sources(of: $0, in: calls) })
        let tools = calls.programs.dropFirst().map { baseName($0.executable) }.filter { interpreterName(of: $0) == nil }
        // `curl: (6) …`
        func isOfTool(_ words: String) -> Bool { tools.contains { words.hasPrefix($0 + ": ") } }
        placeLastLines { isOfTool($0) ? nil : scripts.place(ofWords: $0) }
        guard lastLines.allSatisfy({ $0.place == nil }) else { return }
        let compiled = calls.programs.map(\.executable).filter { interpreterName(of: baseName($0)) == nil }
        let sources = LinesProcess.sources(of: Array(Set(compiled.filter { $0.hasPrefix("/") }).sorted().prefix(8)))
        let search = files.search(in: sources.flatMap(\.self).filter { $0.hasPrefix("/") })
        placeLastLines { search.place(ofWords: $0) }
    }
}
