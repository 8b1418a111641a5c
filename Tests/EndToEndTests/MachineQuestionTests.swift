// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Programs that ask the machine for its addresses, by a tool or by the C library, and how they use them.
    @Suite struct MachineQuestionTests {
        private func report(_ name: String, _ source: String, _ command: [String]) throws -> Output {
            let folder = try SuiteFolder("", files: [name: source])
            return try run([Binaries.ipv6check, "--"] + command.map { $0 == name ? folder.path(name) : $0 })
        }

        private static let byTool = [
            (
                "tool.sh", ["sh", "tool.sh"],
                "[ -n \"$(ip -4 addr | sed -n 's/.*inet \\([0-9.]*\\).*/\\1/p' | grep -v '^127')\" ] && curl -fsS http://shop.test/ip"
            ),
            (
                "tool.pl", ["perl", "tool.pl"],
                "my $routes = `ip -f inet route`; exit 1 unless $routes =~ /default/; system('curl', '-fsS', 'http://shop.test/ip') == 0 or exit 1;"
            ),
        ]

        @Test(arguments: byTool)
        func `who asks a tool for IPv4 and gives up is told which`(
            _ name: String, _ command: [String], _ source: String
        )
            throws
        {
            let output = try report(name, source, command)
            #expect(output.status == 1 && output.standardError.contains("why         V6C-037"), output.told)
            #expect(output.standardError.contains("It ran \"ip -"), output.told)
        }

        @Test func `who looks for an IPv4 address and does nothing else is told the line`() throws {
            let node = """
                const all = Object.values(require("os").networkInterfaces()).flat();
                process.exit(all.some((one) => one.family === "IPv4" && !one.internal) ? 0 : 1);
                """
            let output = try report("interfaces.js", node, ["node", "interfaces.js"])
            #expect(output.status == 1 && output.standardError.contains("why         V6C-037"), output.told)
        }

        @Test func `an address in a URL without brackets is the reason, and not that it was asked for`() throws {
            let shell = """
                address=$(hostname -I | awk '{ print $1 }')
                python3 -m http.server 8080 --bind :: > /dev/null 2>&1 &
                server=$!
                until grep -q :1F90 /proc/net/tcp6; do sleep 0.05; done
                wget -q -O /dev/null "http://$address:8080/"
                result=$?
                kill $server
                exit $result
                """
            let output = try report("own.sh", shell, ["sh", "own.sh"])
            #expect(output.status == 1 && output.standardError.contains("why         V6C-092"), output.told)
            #expect(!output.standardError.contains("V6C-037"), output.told)
            let inBrackets = shell.replacingOccurrences(
                of: "\"http://$address:8080/\"",
                with: "\"http://$(case $address in *:*) echo [$address];; *) echo $address;; esac):8080/\"")
            expectPass(try report("own.sh", inBrackets, ["sh", "own.sh"]))
        }

        @Test func `who asks and goes on, and who fails for a file, are told nothing of it`() throws {
            let goesOn = try report(
                "on.sh", "ip -4 addr > /dev/null; curl -fsS http://shop.test/ip", ["sh", "on.sh"])
            expectPass(goesOn)
            #expect(!goesOn.standardError.contains("V6C-037"), goesOn.told)
            let file = try report(
                "file.sh", "ip -4 addr > /dev/null; cat /nonexistent/file", ["sh", "file.sh"])
            #expect(file.status == 3 && !file.standardError.contains("V6C-037"), file.told)
        }
    }
}
