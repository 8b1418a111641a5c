// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Evidence

@Suite struct HostPortTests {
    @Test func `is one number, or the program's and the machine's`() throws {
        #expect(try HostPort("5432") == HostPort(5432, on: 5432))
        #expect(try HostPort("5432:15432") == HostPort(5432, on: 15432))
        #expect(try HostPort("5432:15432").description == "5432:15432")
        #expect(try HostPort("65535:65535").description == "65535")
    }

    @Test(arguments: [
        "", "0", "65536", "-1", "+1", "5432:", ":5432", "1:2:3", "http", "127.0.0.1:5432", "5432/tcp", "1:0",
    ])
    func `everything else is a mistake that says what would be right`(_ text: String) {
        #expect(throws: HostPort.Mistake.self) { try HostPort(text) }
    }

    @Test func `one port of the program is given once`() {
        #expect(HostPort.clash(among: [HostPort(1, on: 2), HostPort(2, on: 1)]) == nil)
        #expect(HostPort.clash(among: [HostPort(1, on: 2), HostPort(3, on: 4), HostPort(1, on: 5)]) == 1)
    }
}
