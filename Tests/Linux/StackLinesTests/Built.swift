import CStoppedCall
import Evidence
import Foundation
import StackLines
import TestSupport
import Testing

/// A program of `Programs`, compiled in a folder of its own.
struct Built: ~Copyable {
    let folder: URL
    let source: String
    var program: String { folder.appending(path: "program").path }

    /// - Parameter command: a shell's, in that folder, with the source as $SOURCE; it makes `program`.
    init(_ name: String, by command: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "ipv6check-lines-\(UUID().uuidString)")
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
    let call = unsafe UnsafeMutablePointer<cstoppedcall>.allocate(capacity: 1)
    defer { unsafe call.deallocate() }
    let path = unsafe strdup(program)
    defer { unsafe free(path) }
    var arguments = unsafe [path, nil]
    try #require(unsafe cstoppedcall_take(&arguments, call) == 0, "\(program) does not connect")
    var snapshots = StackSnapshots()
    let registers = unsafe withUnsafeBytes(of: &call.pointee.registers) { unsafe Array($0.bindMemory(to: UInt64.self)) }
    let stack = unsafe withUnsafeBytes(of: &call.pointee.stack) { unsafe Array($0.prefix(call.pointee.length)) }
    snapshots.maps = [unsafe withUnsafeBytes(of: &call.pointee.maps) { unsafe Array($0.prefix(call.pointee.maps_length)) }]
    snapshots.snapshots = [
        unsafe StackSnapshot(
            registers: Array(registers.prefix(call.pointee.register_count)), stackAddress: call.pointee.address,
            stack: stack, map: 0)
    ]
    return snapshots
}

func frames(of snapshots: StackSnapshots) throws -> [StackFrame] {
    var all: [StackFrame] = []
    try StackLines().resolve(snapshots.snapshots, maps: snapshots.maps[0]) { all += $0 }
    return all
}
