// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import NAT64

/// RFC 6146 §3.5.2.2, State Machine for TCP Processing in the NAT64: each state under each event.
///
/// SYN4 is "V4 SYN", FIN6 "V6 FIN", RST4 "V4 RST" and so on; a + stands for any other segment of that side.
@Suite struct RFC6146Section3_5_2_2_TransitionTests {
    private static let table: [TCPState: String] = [
        .v4Init: """
        SYN6 ESTABLISHED  TCP_EST
        SYN4 V4_INIT      -
        FIN6 V4_INIT      -
        FIN4 V4_INIT      -
        RST6 V4_INIT      -
        RST4 V4_INIT      -
        +6   V4_INIT      -
        +4   V4_INIT      -
        """,
        .v6Init: """
        SYN4 ESTABLISHED  TCP_EST
        SYN6 V6_INIT      TCP_TRANS
        FIN6 V6_INIT      -
        FIN4 V6_INIT      -
        RST6 V6_INIT      -
        RST4 V6_INIT      -
        +6   V6_INIT      -
        +4   V6_INIT      -
        """,
        .established: """
        FIN4 V4_FIN_RCV   -
        FIN6 V6_FIN_RCV   -
        RST4 TRANS        TCP_TRANS
        RST6 TRANS        TCP_TRANS
        SYN4 ESTABLISHED  TCP_EST
        SYN6 ESTABLISHED  TCP_EST
        +4   ESTABLISHED  TCP_EST
        +6   ESTABLISHED  TCP_EST
        """,
        .v4FinRcv: """
        FIN6 V4+V6_FIN_RCV TCP_TRANS
        FIN4 V4_FIN_RCV    TCP_EST
        SYN4 V4_FIN_RCV    TCP_EST
        SYN6 V4_FIN_RCV    TCP_EST
        RST4 V4_FIN_RCV    TCP_EST
        RST6 V4_FIN_RCV    TCP_EST
        +4   V4_FIN_RCV    TCP_EST
        +6   V4_FIN_RCV    TCP_EST
        """,
        .v6FinRcv: """
        FIN4 V4+V6_FIN_RCV TCP_TRANS
        FIN6 V6_FIN_RCV    TCP_EST
        SYN4 V6_FIN_RCV    TCP_EST
        SYN6 V6_FIN_RCV    TCP_EST
        RST4 V6_FIN_RCV    TCP_EST
        RST6 V6_FIN_RCV    TCP_EST
        +4   V6_FIN_RCV    TCP_EST
        +6   V6_FIN_RCV    TCP_EST
        """,
        .v4FinV6FinRcv: """
        SYN4 V4+V6_FIN_RCV -
        SYN6 V4+V6_FIN_RCV -
        FIN4 V4+V6_FIN_RCV -
        FIN6 V4+V6_FIN_RCV -
        RST4 V4+V6_FIN_RCV -
        RST6 V4+V6_FIN_RCV -
        +4   V4+V6_FIN_RCV -
        +6   V4+V6_FIN_RCV -
        """,
        .trans: """
        RST4 TRANS        -
        RST6 TRANS        -
        SYN4 ESTABLISHED  TCP_EST
        SYN6 ESTABLISHED  TCP_EST
        FIN4 ESTABLISHED  TCP_EST
        FIN6 ESTABLISHED  TCP_EST
        +4   ESTABLISHED  TCP_EST
        +6   ESTABLISHED  TCP_EST
        """,
    ]

    private static let states: [Substring: TCPState] = [
        "V4_INIT": .v4Init, "V6_INIT": .v6Init, "ESTABLISHED": .established, "V4_FIN_RCV": .v4FinRcv,
        "V6_FIN_RCV": .v6FinRcv, "V4+V6_FIN_RCV": .v4FinV6FinRcv, "TRANS": .trans,
    ]
    private static let segments: [Substring: TCPSegment] = ["SYN": .syn, "FIN": .fin, "RST": .rst, "+": .other]
    private static let lifetimes: [Substring: TCPTransition.Lifetime] = [
        "-": .unchanged, "TCP_TRANS": .transitory, "TCP_EST": .established,
    ]

    @Test(arguments: TCPState.allCases.filter { $0 != .closed })
    func `each event has the effect that the RFC gives it`(state: TCPState) throws {
        let lines = try #require(Self.table[state]).split(separator: "\n")
        #expect(lines.count == 8, "four kinds of segment from two sides")
        for line in lines {
            let words = line.split(separator: " ")
            let segment = try #require(Self.segments[words[0].dropLast()])
            let expected = TCPTransition(try #require(Self.states[words[1]]), try #require(Self.lifetimes[words[2]]))
            #expect(state.after(segment, from: words[0].last == "4" ? .ipv4 : .ipv6) == expected, "\(state): \(line)")
        }
    }

    @Test(
        arguments: [
            (0x00, TCPSegment.other), (0x10, .other), (0x18, .other), (0x02, .syn), (0x12, .syn), (0xc2, .syn),
            (0x01, .fin), (0x11, .fin), (0x04, .rst), (0x14, .rst), (0x06, .rst), (0x05, .rst), (0x03, .syn),
            (0xff, .rst),
        ] as [(UInt8, TCPSegment)])
    func `a segment counts as the flag that its receiver would obey first`(flags: UInt8, segment: TCPSegment) {
        #expect(TCPSegment(TCPHeader.Flags(rawValue: flags)) == segment)
    }
}
