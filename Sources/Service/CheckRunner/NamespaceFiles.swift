// SPDX-License-Identifier: Apache-2.0
import Evidence
import Glibc
import LinuxNet

/// The files of /proc with the counters of a client's network namespace. Opening them needs no privilege, and the client does not notice
/// it. They keep the namespace alive, so that they can be read when all its processes have ended.
struct NamespaceFiles: ~Copyable {
    private let ipv4: Descriptor
    private let ipv6: Descriptor
    private let devices: Descriptor

    /// - Parameter process: a process in the namespace (proc_pid_net(5)).
    init(ofProcess process: Int32) throws(SystemError) {
        let ipv4 = try Descriptor.open("/proc/\(process)/net/snmp", flags: O_RDONLY)
        let ipv6 = try Descriptor.open("/proc/\(process)/net/snmp6", flags: O_RDONLY)
        let devices = try Descriptor.open("/proc/\(process)/net/dev", flags: O_RDONLY)
        self.ipv4 = ipv4
        self.ipv6 = ipv6
        self.devices = devices
    }

    /// `nil` if the files are not in Linux's format.
    consuming func read() throws(SystemError) -> NamespaceCounters? {
        func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }
        return NamespaceCounters(
            ipv4: text(try ipv4.contents(path: "snmp")), ipv6: text(try ipv6.contents(path: "snmp6")),
            devices: text(try devices.contents(path: "dev")))
    }
}

extension NamespaceCounters {
    /// - Parameters:
    ///   - ipv4: `snmp`: a line of names and a line of values for each protocol, both beginning with it.
    ///   - ipv6: `snmp6`: a name and its value in each line.
    ///   - devices: `dev`: an interface in each line, with 8 columns of what it received and 8 of what it sent.
    init?(ipv4: String, ipv6: String, devices: String) {
        let lines = ipv4.split(separator: "\n").filter { $0.hasPrefix("Ip: ") }.map { $0.split(separator: " ") }
        guard lines.count == 2, lines[0].count == lines[1].count else { return nil }
        func ofIPv4(_ name: String) -> Int? { lines[0].firstIndex { $0 == name }.flatMap { Int(lines[1][$0]) } }
        let pairs = ipv6.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }.filter { $0.count == 2 }
        func ofIPv6(_ name: String) -> Int? { pairs.first { $0[0] == name }.flatMap { Int($0[1]) } }
        let loopback = devices.split(separator: "\n").map { $0.split(separator: " ") }.first { $0.first == "lo:" }
        guard let unroutedIPv4 = ofIPv4("OutNoRoutes"), let sentIPv4 = ofIPv4("OutRequests"),
            let unroutedIPv6 = ofIPv6("Ip6OutNoRoutes"), let sentIPv6 = ofIPv6("Ip6OutRequests"),
            let icmp = ofIPv6("Icmp6OutMsgs"), let loopback, loopback.count == 17, let packets = Int(loopback[2])
        else { return nil }
        self.init(
            unroutedIPv4: unroutedIPv4, unroutedIPv6: unroutedIPv6, loopback: packets,
            sent: sentIPv4 + max(0, sentIPv6 - icmp))
    }
}
