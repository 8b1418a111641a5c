// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// HTML reports in a browser: axe-core finds no violation, in both colour schemes, on desktops and phones, folded and open.
    @Suite(.enabled(if: missing.isEmpty, "needs \(missing.joined(separator: ", ")): scripts/test gets them"))
    struct ReportPageTests {
        /// Checks the pages with axe-core; with UPDATE_GOLDEN=1 it also makes the pictures of docs.
        private func expectNoViolation(_ pages: [String], in folder: SuiteFolder, pictures: Bool = false) throws {
            let takes = pictures && ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"
            let folderOfPictures = Binaries.root.appending(path: "docs/pictures").path
            let output = try run(
                ["/usr/bin/python3", Binaries.root.appending(path: "fixtures/reports/axe.py").path]
                    + (takes ? ["--pictures", folderOfPictures] : []) + pages.map(folder.path), seconds: 240,
                environment: ["PYTHONPATH": python])
            #expect(output.status == 0 && output.text.isEmpty, Comment(rawValue: output.text + output.standardError))
        }

        /// A client that connects to the first servers of a list; its argument is their number.
        private static let client = """
            import socket, sys, time

            SERVERS = ["198.51.100.10", "203.0.113.9", "192.0.2.64"]


            def send(host, port):
                connection = socket.socket(socket.AF_INET)
                connection.settimeout(5)
                connection.connect((host, port))
                connection.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                print(connection.recv(512).decode().splitlines()[0])


            def look_up(name):
                time.sleep(0.02)
                return socket.getaddrinfo(name, 80)


            look_up("dual.test")
            for server in SERVERS[: int(sys.argv[1])]:
                send(server, 80)

            """

        @Test func `a red suite of twenty cases and a green one`() throws {
            let tests = (1...20).map { number in
                switch number % 4 {
                case 0: "  - { name: t\(number), command: [curl, -sS, 'http://198.51.100.10/\(number)'] }"
                case 1: "  - { name: t\(number), command: [python3, client.py, '1'] }"
                case 2:
                    "  - { name: t\(number), command: sh -c 'curl -s http://shop.test/; echo \(number) >&2; exit 7' }"
                default: "  - { name: t\(number), command: [curl, -4, -sS, 'http://shop.test/'] }"
                }
            }
            let folder = try SuiteFolder(
                tests.joined(separator: "\n"), head: "defaults: { timeout: 20s }", files: ["client.py": Self.client])
            let red = try folder.suite("--html", "red.html", seconds: 300)
            #expect(red.status == 1 && red.standardError.contains("20 cases: "), red.told)
            let page = try folder.read("red.html")
            #expect(page.matches(of: /<details open=""><summary><h2>/).count == 20)
            #expect(page.contains("<code>connection.connect((host, port))</code>"))
            try folder.write(
                "  - { name: names, command: [curl, -sS, 'http://shop.test/'], networks: [nat64, 'dual-stack 5s, nat64', dual-stack] }"
            )
            let green = try folder.suite("--html", "green.html")
            #expect(green.status == 0, green.told)
            try expectNoViolation(["red.html", "green.html"], in: folder)
        }

        @Test func `a single run that fails, with its source line, and one that passes`() throws {
            let folder = try SuiteFolder("", files: ["client.py": Self.client])
            let failed = try folder.bash("$0 --html report.html /usr/bin/python3 client.py 1")
            #expect(failed.status == 1, failed.told)
            let page = try folder.read("report.html")
            #expect(page.matches(of: /<li class="cause">/).count == 1)
            #expect(page.matches(of: /<code>connection.connect\(\(host, port\)\)<\/code>/).count == 1)
            #expect(page.contains("<summary>V6C-001: connects to an IPv4 address, not to a name</summary>"))
            let passed = try folder.bash("$0 --html passed.html curl -sS http://shop.test/")
            #expect(passed.status == 0, passed.told)
            try expectNoViolation(["report.html"], in: folder, pictures: true)
            try expectNoViolation(["passed.html"], in: folder)
        }
    }
}

/// The folder of the packages that scripts/test fetches from PyPI.
private let python = Binaries.root.appending(path: ".build/python").path

private let missing =
    ["chromium", "chromedriver"].filter { !isInstalled($0) }
    + (FileManager.default.fileExists(atPath: python + "/axe_playwright_python") ? [] : ["axe-playwright-python"])
