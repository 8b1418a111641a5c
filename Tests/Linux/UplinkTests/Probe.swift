// SPDX-License-Identifier: Apache-2.0
import Foundation
import NetworkLab
import TestSupport

/// UplinkProbe: a process that uses the lab's host.
final class Probe {
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()
    private(set) var said: [String] = []
    private var unread: [UInt8] = []

    /// - Parameters:
    ///   - link: the prefix of the clients' addresses, or the standard one.
    ///   - waits: until it has opened its uplink, or cannot.
    init(
        at lab: Lab, asNobody: Bool = false, allow: [String] = [], mount: String? = nil, link: String? = nil,
        waits: Bool = true
    ) throws {
        let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/UplinkProbe"
        let nobody = asNobody ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        let mounts = mount.map { ["unshare", "--mount", "sh", "-c", $0 + "; exec \"$@\"", "sh"] } ?? []
        process = try .start(
            lab.prefix(.host) + mounts + nobody + [executable] + (link.map { ["--link", $0] } ?? []) + allow,
            input: input, output: output, errors: output)
        if waits { awaitOpening() }
    }

    func awaitOpening() {
        repeat {
            said.append(readLine())
        } while !(said.last!.isEmpty || said.last!.hasPrefix("open: ") || said.last!.hasPrefix("error: "))
    }

    /// The probe's own number, where it has opened its uplink.
    var number: Int32? { said.last.flatMap { $0.hasPrefix("open: ") ? Int32($0.dropFirst(6)) : nil } }
    var error: String? { said.last.flatMap { $0.hasPrefix("error: ") ? String($0.dropFirst(7)) : nil } }

    /// `nat64sim2- 198.19.1.0/24 2e00:2:0:101::/64`: the names of its links, and their addresses.
    var link: String? { said.first { $0.hasPrefix("link: ") }.map { String($0.dropFirst(6)) } }

    /// Empty at the end.
    func readLine() -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeFirst(end + 1)
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return "" }
            unread += more
        }
    }

    /// Lets it end by itself.
    func close() {
        endInput()
        awaitEnd()
    }

    func endInput() { input.fileHandleForWriting.closeFile() }
    func awaitEnd() { process.waitUntilExit() }

    func killed() {
        if let number { kill(number, SIGKILL) }
        process.waitUntilExit()
    }

    deinit {
        if process.isRunning { killed() }
    }
}
