// SPDX-License-Identifier: Apache-2.0
extension RunEvidence {
    /// Makes the paths of source files and of addresses' origins relative to the directory in which the client was started, as the user
    /// knows them. Paths of objects with code stay absolute, for tools.
    package mutating func namePathsFromWorkingDirectory() {
        guard var calls, let directory = calls.programs.first?.workingDirectory else { return }
        for index in calls.calls.indices {
            calls.calls[index].frames.nameFiles(from: directory)
            calls.calls[index].origin = calls.calls[index].origin?.named(from: directory)
        }
        for index in calls.programs.indices {
            for place in [\TracedProgram.startedAt, \.keptToIPv4At, \.choosesIPv4At] {
                guard let file = calls.programs[index][keyPath: place]?.file else { continue }
                calls.programs[index][keyPath: place]?.file = relative(file, to: directory)
            }
        }
        for index in calls.ends.indices { calls.ends[index].frames.nameFiles(from: directory) }
        for index in calls.announced.indices { calls.announced[index].frames.nameFiles(from: directory) }
        for index in calls.given.indices {
            calls.given[index].origin = calls.given[index].origin.named(from: directory)
        }
        self.calls = calls
        for index in lookups.indices {
            lookups[index].site.file = lookups[index].site.file.map { relative($0, to: directory) }
            lookups[index].origin = lookups[index].origin?.named(from: directory)
        }
    }
}

extension RunEvidence {
    /// Takes the errors from what the client printed.
    /// - Parameter folder: where the client was started.
    package mutating func readErrors(in output: String, from folder: String) {
        printedErrors = PrintedErrorReader.errors(in: output)
        lastLines = PrintedErrorReader.lastLines(of: output)
        let directory = calls?.programs.first?.workingDirectory ?? folder
        for index in printedErrors.indices { printedErrors[index].frames.nameFiles(from: directory) }
    }

    /// Gives the last lines of the output the places of their words; those that say why it ended are among the last six.
    package mutating func placeLastLines(by place: (String) -> StackFrame?) {
        let directory = calls?.programs.first?.workingDirectory ?? ""
        for index in lastLines.indices.suffix(6) {
            guard var place = place(lastLines[index].text) else { continue }
            place.file = place.file.map { relative($0, to: directory) }
            lastLines[index].place = place
        }
    }
}

extension [StackFrame] {
    fileprivate mutating func nameFiles(from directory: String) {
        for index in indices { self[index].file = self[index].file.map { relative($0, to: directory) } }
    }
}

extension AddressOrigin {
    fileprivate func named(from directory: String) -> AddressOrigin {
        var origin = self
        switch place {
        case .file(let path, let line): origin.place = .file(path: relative(path, to: directory), line: line)
        case .data(let module): origin.place = .data(module: relative(module, to: directory))
        case .argument, .command, .environment, .answer, .payload: break
        }
        return origin
    }
}

/// A path relative to the directory, if it is below it; any other is unchanged. `a/./b`, as shells open their scripts, becomes `a/b`.
private func relative(_ path: String, to directory: String) -> String {
    if path.contains("/./") {
        let words = path.split(separator: "/", omittingEmptySubsequences: false).filter { $0 != "." }
        return relative(words.joined(separator: "/"), to: directory)
    }
    let start = directory.hasSuffix("/") ? directory : directory + "/"
    guard directory != "/", path.hasPrefix(start), path.utf8.count > start.utf8.count else { return path }
    return String(path.dropFirst(start.count))
}
