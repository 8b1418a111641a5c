// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import Origins

@Suite struct GivenAddressesTests {
    private func addresses(_ text: String) -> [String] {
        var given = GivenAddresses()
        given.take(variable: "X", value: Array(text.utf8))
        return given.all.map(\.address.description)
    }

    @Test(arguments: [
        ("2001:db8::7", ["2001:db8::7"]), ("http://[2001:DB8:0::7]:8080/", ["2001:db8::7"]),
        ("a=fd00::1,b=64:ff9b::c633:6407;", ["fd00::1", "64:ff9b::c633:6407"]), ("2001:db8::7%eth0", ["2001:db8::7"]),
        ("12:30:45", []), ("00:11:22:33:44:55", []), ("std::vector", []), ("abc::def", []), ("::1", []), ("", []),
        ("x2001:db8::7", []), ("192.0.2.1", []), ("fe80::1", []),
    ])
    func `addresses of hosts are found, and what looks like them is not`(_ text: String, _ found: [String]) {
        #expect(addresses(text) == found)
    }

    @Test func `an address of a file is told with its line, and of a command line with its place`() {
        var given = GivenAddresses()
        given.take(file: Array("# hosts\nmirror = 2001:db8::7\n".utf8), path: "/app/a.conf")
        given.take(
            argumentsOf: TracedProgram(
                process: 1, executable: "/app/a", arguments: ["2001:db8::1", "-h", "2001:db8::8"]))
        #expect(
            given.all.map(\.origin.place) == [
                .file(path: "/app/a.conf", line: 2), .argument(2, of: "/app/a"),
            ])
    }

    @Test func `what is binary, long or endless is bounded`() {
        var given = GivenAddresses()
        given.take(file: Array("2001:db8::7\0".utf8), path: "/app/a")
        given.take(file: Array(repeating: UInt8(ascii: ":"), count: 70_000), path: "/app/b")
        #expect(given.all.isEmpty)
        for number in 1...100 { given.take(variable: "X", value: Array("2001:db8::\(number)".utf8)) }
        #expect(given.all.count == 32)
    }
}
