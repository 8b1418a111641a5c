// SPDX-License-Identifier: Apache-2.0
internal import CDwfl
package import Evidence

/// Resolves stacks to functions and lines.
///
/// Executables and debug information are untrusted, and libdw parses them: to be used in a process that may crash.
package final class StackLines {
    /// The reason why libdw is not available.
    package struct Unavailable: Error, Hashable, Sendable {
        package let reason: String
    }

    /// By path; `nil` for a file that cannot be read.
    private var files: [String: DebuggedFile?] = [:]

    /// A deeper stack is a recursion.
    private static let depthLimit = 128
    /// Maximum number of files that are kept open.
    private static let fileLimit = 256

    /// Loads libdw: afterwards no files are needed except those that are looked up.
    package init() throws(Unavailable) {
        if let message = unsafe cdwfl_load() { throw unsafe Unavailable(reason: String(cString: message)) }
    }

    /// Resolves the stacks of one process.
    /// - Parameters:
    ///   - maps: the process's memory map, in the format of /proc/PID/maps.
    ///   - take: called for each stack, in order, with the frames, the innermost first; with no frames if none are found.
    package func resolve(_ snapshots: some Sequence<StackSnapshot>, maps: [UInt8], _ take: ([StackFrame]) -> Void) {
        let process = unsafe maps.withUnsafeBytes { octets in
            unsafe cdwfl_process_open(octets.baseAddress?.assumingMemoryBound(to: CChar.self), octets.count)
        }
        defer { if let process = unsafe process { unsafe cdwfl_process_close(process) } }
        for snapshot in snapshots {
            if let process = unsafe process { take(unsafe frames(of: snapshot, in: process)) } else { take([]) }
        }
    }

    /// Resolves a return address.
    /// - Parameters:
    ///   - module: an executable's or library's path.
    ///   - offset: the return address, relative to the mapped address of the file's first octet.
    package func resolve(module: String, offset: UInt64) -> [StackFrame] {
        guard let file = file(module) else { return [] }
        let (address, overflows) = file.base.addingReportingOverflow(offset)
        return overflows || address == 0 ? [] : file.frames(at: address - 1)
    }

    /// The source files of an executable or a library that its debug information names.
    package func sources(of module: String) -> [String] { DebuggedFile(module, hasLines: true)?.sources ?? [] }

    private func frames(of snapshot: StackSnapshot, in process: OpaquePointer) -> [StackFrame] {
        var places = unsafe [cdwfl_place](repeating: cdwfl_place(), count: Self.depthLimit)
        let count = unsafe snapshot.registers.withUnsafeBufferPointer { registers in
            unsafe snapshot.stack.withUnsafeBufferPointer { octets in
                var stack = unsafe cdwfl_stack(
                    registers: registers.baseAddress, register_count: registers.count, address: snapshot.stackAddress,
                    octets: octets.baseAddress, length: octets.count)
                return unsafe cdwfl_unwind(process, &stack, &places, places.count)
            }
        }
        let makers = unsafe snapshot.makers.prefix(Self.depthLimit).map { unsafe cdwfl_locate(process, $0) }
        return unsafe (places.prefix(count) + makers).flatMap { place -> [StackFrame] in
            guard let module = unsafe place.module else { return [] }
            return frames(at: unsafe place.address, in: unsafe String(cString: module))
        }
    }

    private func frames(at address: UInt64, in module: String) -> [StackFrame] {
        guard module.hasPrefix("/") else { return [] }
        return file(module)?.frames(at: address) ?? [StackFrame(module: module, offset: address)]
    }

    private func file(_ path: String) -> DebuggedFile? {
        if let known = files[path] { return known }
        if files.count == Self.fileLimit { files = [:] }
        // No line of the system's libraries is told, and to unpack their debug information takes longer than all the rest.
        let file = DebuggedFile(path, hasLines: !StackFrame.isSharedObject(path))
        files[path] = .some(file)
        return file
    }
}
