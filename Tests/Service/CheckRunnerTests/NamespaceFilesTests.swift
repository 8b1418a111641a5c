// SPDX-License-Identifier: Apache-2.0
import Evidence
import Glibc
import Testing

@testable import CheckRunner

@Suite struct NamespaceFilesTests {
    private static let ipv4 = """
        Ip: Forwarding DefaultTTL InReceives OutRequests OutDiscards OutNoRoutes
        Ip: 2 64 9 4 0 3
        Icmp: InMsgs InErrors
        Icmp: 0 0
        """
    private static let ipv6 = """
        Ip6InReceives                   	7
        Ip6OutRequests                  	12
        Ip6OutNoRoutes                  	2
        Icmp6OutMsgs                    	5
        """
    private static let devices = """
        Inter-|   Receive                                                |  Transmit
         face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
            lo:     120       6    0    0    0     0          0         0      120       6    0    0    0     0       0          0
          eth0:     136       1    0    0    0     0          0         0       48       1    0    0    0     0       0          0
        """

    @Test func `the kernel's files are read by the names of their columns`() {
        let counters = NamespaceCounters(ipv4: Self.ipv4, ipv6: Self.ipv6, devices: Self.devices)
        #expect(counters == NamespaceCounters(unroutedIPv4: 3, unroutedIPv6: 2, loopback: 6, sent: 4 + 12 - 5))
    }

    @Test func `what lacks a counter is nothing known`() {
        #expect(NamespaceCounters(ipv4: "", ipv6: Self.ipv6, devices: Self.devices) == nil)
        #expect(NamespaceCounters(ipv4: Self.ipv4, ipv6: "Ip6OutRequests\n\n", devices: Self.devices) == nil)
        #expect(NamespaceCounters(ipv4: Self.ipv4, ipv6: Self.ipv6, devices: "lo: 1 2") == nil)
        let cut = Self.ipv4.replacing(" 0 3", with: "")
        #expect(NamespaceCounters(ipv4: cut, ipv6: Self.ipv6, devices: Self.devices) == nil)
    }

    @Test func `this kernel has all of them, and a process that is gone has none`() throws {
        let files = try NamespaceFiles(ofProcess: getpid())
        #expect(try files.read() != nil)
        #expect(throws: (any Error).self) { _ = try NamespaceFiles(ofProcess: 0) }
    }
}
