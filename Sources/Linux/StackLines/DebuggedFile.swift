// SPDX-License-Identifier: Apache-2.0
internal import CDwfl
internal import Evidence
internal import Glibc

/// An executable or a library, with its debug information, which may be in a separate file.
@safe final class DebuggedFile {
    private let path: String
    private let file: OpaquePointer
    /// In hexadecimal.
    private let buildID: String?
    /// Frames by address.
    private var known: [UInt64: [StackFrame]] = [:]

    /// Maximum number of frames at one address: inlined functions, and the one that contains them.
    private static let inlinedLimit = 32
    /// Maximum number of entries read from the file tables of all units, in which a header counts once for each unit. Further files are
    /// left out.
    private static let sourceLimit = 1 << 16

    /// - Parameter hasLines: whether its debug information is read; otherwise functions have the names of symbols.
    init?(_ path: String, hasLines: Bool) {
        guard let file = unsafe cdwfl_file_open(path, hasLines) else { return nil }
        self.path = path
        unsafe self.file = file
        var octets: UnsafePointer<UInt8>?
        let length = unsafe cdwfl_file_build_id(file, &octets)
        let buffer = unsafe UnsafeBufferPointer(start: octets, count: length)
        buildID = unsafe length == 0 ? nil : Self.hexadecimal(Array(buffer))
    }

    deinit { unsafe cdwfl_file_close(file) }

    /// The address of the file's first octet, as linked.
    var base: UInt64 { unsafe cdwfl_file_base(file) }

    /// The frames at an address of the file, the innermost inlined function first.
    func frames(at address: UInt64) -> [StackFrame] {
        if let frames = known[address] { return frames }
        var lines = unsafe [cdwfl_line](repeating: cdwfl_line(), count: Self.inlinedLimit)
        let count = unsafe cdwfl_describe(file, address, &lines, lines.count)
        let frames = unsafe lines.prefix(count).map { line in
            let name = unsafe line.function.map { unsafe String(cString: $0) }
            return StackFrame(
                function: unsafe line.is_symbol ? name.map(Symbol.plainName) : name,
                file: unsafe Self.path(line.file, in: line.folder), line: unsafe line.line > 0 ? Int(line.line) : nil,
                module: path,
                offset: address, buildID: buildID)
        }
        known[address] = frames
        return frames
    }

    /// The source files, without duplicates; absolute if debug information has absolute paths.
    var sources: [String] {
        var sources = unsafe [cdwfl_source](repeating: cdwfl_source(), count: Self.sourceLimit)
        let count = unsafe cdwfl_sources(file, &sources, sources.count)
        let paths = unsafe sources.prefix(count).compactMap { unsafe Self.path($0.file, in: $0.folder) }
        var known: Set<String> = []
        return paths.filter { known.insert($0).inserted }
    }

    private static func path(_ file: UnsafePointer<CChar>?, in folder: UnsafePointer<CChar>?) -> String? {
        guard let file = unsafe file.map({ unsafe String(cString: $0) }), !file.isEmpty else { return nil }
        guard !file.hasPrefix("/"), let folder = unsafe folder.map({ unsafe String(cString: $0) }) else {
            return file
        }
        return folder + "/" + file
    }

    private static func hexadecimal(_ octets: [UInt8]) -> String {
        octets.map { octet in
            let digits = String(octet, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
