// SPDX-License-Identifier: Apache-2.0
import CStoppedCall
import Evidence
import Foundation
import StackLines
import TestSupport
import Testing

/// A program of `Programs`, compiled in a folder of its own.
final class Built {
    let folder: URL
    let source: String
    var program: String { folder.appending(path: "program").path }

    /// - Parameter command: a shell's, in that folder, with the source as $SOURCE; it makes `program`.
    init(_ name: String, by command: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ipv6check-lines-\(UUID().uuidString)")
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        source = projectRoot + "Tests/Linux/StackLinesTests/Programs/" + name
        var environment = ProcessInfo.processInfo.environment
        environment["SOURCE"] = source
        environment["GOCACHE"] = folder.appending(path: "cache").path
        environment["GOFLAGS"] = "-mod=mod"
        try runToEnd(
            ["/bin/sh", "-ec", "cd '\(folder.path)'; export GO111MODULE=off; " + command], environment: environment
        ).successful()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The number of the line that ends with this remark.
    func line(_ remark: String) throws -> Int {
        let lines = try String(contentsOfFile: source, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        return try #require(lines.firstIndex { $0.hasSuffix("// " + remark) }) + 1
    }

    func snapshots() throws -> StackSnapshots { try stoppedAtConnect(program) }
}

/// The stack of a program at its first connect.
func stoppedAtConnect(_ program: String) throws -> StackSnapshots {
    let room = 1 << 17
    var stack = [UInt8](repeating: 0, count: room)
    var maps = stack
    var call = unsafe cstoppedcall()
    let path = unsafe strdup(program)
    defer { unsafe free(path) }
    var arguments = unsafe [path, nil]
    let result = unsafe stack.withUnsafeMutableBufferPointer { stack in
        unsafe maps.withUnsafeMutableBufferPointer { maps in
            unsafe call.stack = stack.baseAddress
            unsafe call.maps = maps.baseAddress
            unsafe call.room = room
            return unsafe cstoppedcall_take(&arguments, &call)
        }
    }
    try #require(result == 0, "\(program) does not connect")
    let registers = unsafe withUnsafeBytes(of: &call.registers) { unsafe Array($0.bindMemory(to: UInt64.self)) }
    var snapshots = StackSnapshots()
    snapshots.maps = [unsafe Array(maps.prefix(call.maps_length))]
    snapshots.snapshots = [
        unsafe StackSnapshot(
            registers: Array(registers.prefix(call.register_count)), stackAddress: call.address,
            stack: Array(stack.prefix(call.length)), map: 0)
    ]
    return snapshots
}

func unwound(_ snapshots: StackSnapshots) throws -> [StackFrame] {
    var all: [StackFrame] = []
    try StackLines().resolve(snapshots.snapshots, maps: snapshots.maps[0]) { all += $0 }
    return all
}
