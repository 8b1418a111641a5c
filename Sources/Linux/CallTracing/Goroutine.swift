// SPDX-License-Identifier: Apache-2.0

/// The goroutine that a thread of a Go program runs, as Go's runtime has it in memory (runtime/runtime2.go, `g`).
///
/// Libraries connect in goroutines of their own (net/http does), whose stacks have no line of the user's. With
/// GODEBUG=tracebackancestors=N the runtime keeps for each goroutine the stacks of those who made it.
package struct Goroutine {
    /// What has the runtime keep the makers: a part of the environment variable GODEBUG.
    package static let setting = "tracebackancestors=\(generations)"
    private static let generations = 5

    /// Return addresses of the stack on which the goroutine was made, the innermost first; then those of the goroutine that did that, and
    /// so on.
    let makers: [UInt64]

    /// Of `g`, whose fields are others in each release: the ancestors are near its end.
    private static let length = 512
    /// More than the runtime keeps of one goroutine (`tracebackInnerFrames` and before that `_TracebackMaxFrames`).
    private static let depth = 100

    /// - Returns: `nil` where no goroutine with makers is seen: of another language, of Go before 1.17, or as nobody asked for them.
    init?(_ registers: [UInt64], in memory: ClientMemory) {
        guard let place = Self.register, registers.count > place, registers[place] % 8 == 0 else { return nil }
        // What it looks like tells the field: the offset is in debug information alone, which is not read here.
        let fields = memory.words(at: registers[place], count: Self.length / 8)
        for pointer in fields where pointer > 0 && pointer % 8 == 0 {
            guard let ancestors = memory.slice(at: pointer, upTo: Self.generations) else { continue }
            // `ancestorInfo`: pcs (a slice), goid, gopc
            let infos = (0..<UInt64(ancestors.count)).map { ancestors.address + $0 * 40 }
            let stacks = infos.map { info in
                memory.slice(at: info, upTo: Self.depth).map { memory.words(at: $0.address, count: $0.count) } ?? []
            }
            if stacks.contains(where: \.isEmpty) { continue }
            makers = stacks.flatMap(\.self)
            return
        }
        return nil
    }

    /// In which Go's compiler keeps `g`, by DWARF's number: R14 or R28 (cmd/compile/abi-internal.md).
    private static var register: Int? {
        #if arch(x86_64)
            14
        #elseif arch(arm64)
            28
        #else
            nil
        #endif
    }
}

extension ClientMemory {
    /// A slice that the runtime made: as long as its room is.
    fileprivate func slice(at address: UInt64, upTo limit: Int) -> (address: UInt64, count: Int)? {
        let words = words(at: address, count: 3)
        guard words.count == 3, words[0] > 0, words[1] == words[2], 1...UInt64(limit) ~= words[1] else { return nil }
        return (words[0], Int(words[1]))
    }
}
