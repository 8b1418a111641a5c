// SPDX-License-Identifier: Apache-2.0
import LinuxNet

/// The TCP ports with a listener in a process's network namespace, from /proc (proc_pid_net(5)); empty if they cannot be read.
func listeningPorts(ofProcess process: Int32) -> [UInt16] {
    let texts = ["tcp", "tcp6"].compactMap {
        try? Descriptor.contents(of: "/proc/\(process)/net/\($0)", limit: 1 << 20)
    }
    return Set(texts.flatMap { listeningPorts(in: String(decoding: $0, as: UTF8.self)) }).sorted()
}

/// The listening ports of a table with a line for each socket: its number, the local address and port in hexadecimal, the remote ones, and
/// the state. State 0A is TCP_LISTEN.
func listeningPorts(in table: String) -> [UInt16] {
    table.split(separator: "\n").dropFirst().compactMap { line in
        let words = line.split(separator: " ", maxSplits: 4)
        guard words.count > 3, words[3] == "0A" else { return nil }
        return words[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
}
