// SPDX-License-Identifier: Apache-2.0
internal import Evidence

extension Trace {
    /// Keeps only the client: its first program and that program's descendants. Programs that started it or run beside it are removed.
    /// - Parameter root: the index of the first program; `nil` if there was none.
    package mutating func keep(from root: Int?) {
        var places: [Int: Int] = [:]
        var programs: [TracedProgram] = []
        for (index, program) in evidence.programs.enumerated() {
            let parent = program.parent.flatMap { places[$0] }
            guard index == root || parent != nil else { continue }
            var program = program
            program.parent = index == root ? nil : parent
            places[index] = programs.count
            programs.append(program)
        }
        environments = environments.enumerated().filter { places[$0.offset] != nil }.map(\.element)
        let calls = zip(evidence.calls, stacks).filter { places[$0.0.program] != nil }
        stacks = calls.map(\.1)
        let ends = zip(evidence.ends, endStacks).filter { places[$0.0.program] != nil }
        endStacks = ends.map(\.1)
        evidence.ends = ends.map(\.0).moved(\.program, to: places)
        evidence.programs = programs
        evidence.calls = calls.map(\.0).moved(\.program, to: places)
        evidence.openedFiles = evidence.openedFiles.moved(\.program, to: places)
        evidence.announced = evidence.announced.moved(\.program, to: places)
    }
}

extension Array {
    /// The elements whose program was kept, with its new index.
    fileprivate func moved(_ program: WritableKeyPath<Element, Int>, to places: [Int: Int]) -> [Element] {
        compactMap { element in
            guard let place = places[element[keyPath: program]] else { return nil }
            var element = element
            element[keyPath: program] = place
            return element
        }
    }
}
