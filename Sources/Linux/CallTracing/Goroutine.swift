// SPDX-License-Identifier: Apache-2.0

/// The goroutine that a thread of a Go program runs, as Go's runtime represents it in memory (runtime/runtime2.go, `g`).
///
/// Libraries connect in goroutines of their own (net/http does), whose stacks contain no line of the user's. With
/// GODEBUG=tracebackancestors=N the runtime keeps for each goroutine the stacks of its ancestors.
package struct Goroutine {
    /// The part of the environment variable GODEBUG that makes the runtime keep them.
    package static let setting = "tracebackancestors=\(generations)"
    private static let generations = 5

    /// Return addresses of the stack on which the goroutine was made, the innermost first; then those of that goroutine's maker, and so on.
    let makers: [UInt64]

    /// Octets of `g`, whose fields change with each release: the ancestors are near its end.
    private static let length = 512
    /// More than the runtime keeps per goroutine (`tracebackInnerFrames` and before that `_TracebackMaxFrames`).
    private static let depth = 100

    /// - Returns: `nil` if no goroutine with ancestors is found: another language, Go before 1.17, or GODEBUG is not set.
    init?(_ registers: [UInt64], in memory: ClientMemory) {
        guard let place = Self.register, registers.count > place, registers[place] % 8 == 0 else { return nil }
        // The field is recognised by its contents: its offset is only in debug information, which is not read here.
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

    /// The register in which Go's compiler keeps `g`, in DWARF's numbering: R14 or R28 (cmd/compile/abi-internal.md).
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
    /// A slice that the runtime made: its length equals its capacity.
    fileprivate func slice(at address: UInt64, upTo limit: Int) -> (address: UInt64, count: Int)? {
        let words = words(at: address, count: 3)
        guard words.count == 3, words[0] > 0, words[1] == words[2], 1...UInt64(limit) ~= words[1] else { return nil }
        return (words[0], Int(words[1]))
    }
}
