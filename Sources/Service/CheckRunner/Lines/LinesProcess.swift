// SPDX-License-Identifier: Apache-2.0
package import Evidence
import FoundationEssentials
import Glibc
import LinuxNet
import Sandbox
import StackLines
import Wire

/// The process that resolves stacks to source lines: this executable, started again with a first argument that no user types.
///
/// It reads the client's executables, their tables for unwinding and their debug information, all of which may be made to harm the reader.
/// So it has no privileges and no network, and opens files for reading only; memory and time have a limit. Lines that it wrote before it
/// crashed, or before its time was over, count.
///
///     runner                                    lines process (`ipv6check __lines`)
///     memory file with a LinesOrder ──────────►
///                                       ◄─────  a stream: one JSON object a line for each stack and site
package enum LinesProcess {
    /// The first argument.
    package static let argument = "__lines"

    /// Maximum wall-clock time.
    package static let timeLimit = Duration.seconds(10)
    /// Maximum size of its mappings, in octets; files count whole.
    private static let memoryLimit: UInt64 = 2 << 30
    /// Maximum size of its answer, in octets.
    private static let answerLimit = 32 << 20

    /// If this process is one, reads standard input, writes the lines to standard output, and ends.
    package static func runIfAsked() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, arguments[1] == argument else { return }
        guard arguments.count == 3, let parent = Int32(arguments[2]) else { exit(EX_USAGE) }
        do {
            let contents = try MemoryFile.contents(of: Descriptor(owning: STDIN_FILENO))
            guard let order = LinesOrder(contents) else { _exit(EX_DATAERR) }
            let lines: StackLines
            do {
                lines = try StackLines()
            } catch {
                try write(LinesAnswer(item: -1, problem: "libdw cannot be loaded: \(error.reason)"))
                _exit(EXIT_SUCCESS)
            }
            // After this first answer, libc's locale tables and the like have been read.
            try write(LinesAnswer(item: -1))
            try Confinement.enterForReading(endingWith: parent, memory: memoryLimit)
            try answer(order, with: lines)
            _exit(EXIT_SUCCESS)
        } catch {
            _exit(EX_IOERR)
        }
    }

    private static func answer(_ order: LinesOrder, with lines: StackLines) throws(SystemError) {
        for (item, site) in order.sites.enumerated() {
            let frames = lines.resolve(module: site.module, offset: site.offset)
            try write(LinesAnswer(item: order.stacks.snapshots.count + item, frames: frames))
        }
        for (item, module) in order.modules.enumerated() {
            let first = order.stacks.snapshots.count + order.sites.count
            try write(LinesAnswer(item: first + item, sources: lines.sources(of: module).filter(isUsers)))
        }
        for (map, text) in order.stacks.maps.enumerated() {
            let items = order.stacks.snapshots.indices.filter { order.stacks.snapshots[$0].map == map }
            var failure: SystemError?
            var next = items.makeIterator()
            lines.resolve(items.lazy.map { order.stacks.snapshots[$0] }, maps: text) { frames in
                guard failure == nil, let item = next.next() else { return }
                do throws(SystemError) {
                    try write(LinesAnswer(item: item, frames: frames))
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
    }

    /// Whether a source file is not a library's, judging by its path.
    private static func isUsers(_ path: String) -> Bool { !StackFrame(file: path).isOfLibrary }

    private static func write(_ answer: LinesAnswer) throws(SystemError) {
        guard let line = try? JSONEncoder().encode(answer) else { return }
        try Descriptor.writeAll(Array(line) + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }

    // MARK: - The runner's side

    /// Has a process of its own resolve stacks and call sites to lines. Takes `timeLimit` at most, and always answers.
    /// - Parameter executable: this executable.
    package static func resolve(
        _ stacks: StackSnapshots, sites: [ModuleSite] = [], by executable: String = "/proc/self/exe"
    ) -> ResolvedLines {
        answer(to: LinesOrder(stacks: stacks, sites: sites), by: executable)
    }

    /// The users' source files that executables and libraries were compiled from, as named in their debug information.
    package static func sources(of modules: [String], by executable: String = "/proc/self/exe") -> [[String]] {
        answer(to: LinesOrder(modules: modules), by: executable).sources
    }

    private static func answer(to order: LinesOrder, by executable: String) -> ResolvedLines {
        var lines = ResolvedLines(order)
        guard !order.isEmpty else { return lines }
        do throws(SystemError) {
            let running = try RunningLines(order, by: executable)
            let ending = running.read(limit: answerLimit) { octets in
                guard let answer = try? JSONDecoder().decode(LinesAnswer.self, from: Data(octets)) else { return }
                lines.take(answer)
            }
            if let ending { lines.problem = ending }
        } catch {
            lines.problem = "\(error)"
        }
        return lines
    }
}

/// A call's return address, as the preloaded library reports it: an object, and the offset from where its first octet is mapped.
package struct ModuleSite: Hashable, Sendable {
    package var module: String
    package var offset: UInt64

    package init(module: String, offset: UInt64) {
        self.module = module
        self.offset = offset
    }
}

/// The answers to a `LinesOrder`.
package struct ResolvedLines: Hashable, Sendable {
    /// For each snapshot its frames, innermost first; empty if none are known.
    package private(set) var stacks: [[StackFrame]]
    /// For each site likewise: more than one frame if the compiler inlined functions.
    package private(set) var sites: [[StackFrame]]
    /// For each module its source files.
    package private(set) var sources: [[String]]
    /// Why some or all are missing, if that is known.
    package var problem: String?

    init(_ order: LinesOrder) {
        stacks = Array(repeating: [], count: order.stacks.snapshots.count)
        sites = Array(repeating: [], count: order.sites.count)
        sources = Array(repeating: [], count: order.modules.count)
    }

    mutating func take(_ answer: LinesAnswer) {
        if let problem = answer.problem { self.problem = problem }
        let site = answer.item - stacks.count
        if stacks.indices.contains(answer.item) {
            stacks[answer.item] = answer.frames
        } else if sites.indices.contains(site) {
            sites[site] = answer.frames
        } else if sources.indices.contains(site - sites.count) {
            sources[site - sites.count] = answer.sources
        }
    }
}

/// The answer for one item: the stacks are numbered first, then the sites, then the modules; -1 is no item.
struct LinesAnswer: Codable {
    var item: Int
    var frames: [StackFrame] = []
    var sources: [String] = []
    var problem: String?
}
