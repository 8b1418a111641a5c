import Evidence
import LinuxNet

/// Reads the counters of a network namespace from outside, by a process that is in it (proc_pid_net(5)): who reads them needs no right,
/// and the client notices nothing.
extension NamespaceCounters {
    /// `nil` if the kernel does not show them.
    init?(ofProcess process: Int32) {
        func file(_ name: String) -> String? {
            (try? Descriptor.contents(of: "/proc/\(process)/net/\(name)")).map { String(decoding: $0, as: UTF8.self) }
        }
        guard let ipv4 = file("snmp"), let ipv6 = file("snmp6"), let devices = file("dev") else { return nil }
        self.init(ipv4: ipv4, ipv6: ipv6, devices: devices)
    }

    /// - Parameters:
    ///   - ipv4: `snmp`: a line of names and a line of values for each protocol, both beginning with it.
    ///   - ipv6: `snmp6`: a name and its value in each line.
    ///   - devices: `dev`: an interface in each line, with 8 columns of what it received and 8 of what it sent.
    init?(ipv4: String, ipv6: String, devices: String) {
        let lines = ipv4.split(separator: "\n").filter { $0.hasPrefix("Ip: ") }.map { $0.split(separator: " ") }
        guard lines.count == 2, lines[0].count == lines[1].count else { return nil }
        func ofIPv4(_ name: String) -> Int? { lines[0].firstIndex { $0 == name }.flatMap { Int(lines[1][$0]) } }
        let pairs = ipv6.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }
        func ofIPv6(_ name: String) -> Int? { pairs.first { $0.first?.elementsEqual(name) == true }.flatMap { Int($0[1]) } }
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
