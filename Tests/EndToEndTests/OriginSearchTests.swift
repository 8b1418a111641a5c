// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A program that opens more files than are searched for the origin of its addresses.
    @Suite struct OriginSearchTests {
        /// - Parameters:
        ///   - configured: the contents of the program's own file.
        ///   - address: a Python expression.
        private func report(configured: String, connectingTo address: String) throws -> String {
            let folder = Binaries.scratch.appending(path: UUID().uuidString)
            let package = folder.appending(path: "site-packages/shop")
            try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            for number in 0..<300 { try Data("x\n".utf8).write(to: package.appending(path: "\(number).json")) }
            try Data("[shop]\nserver = \(configured)\n".utf8).write(to: folder.appending(path: "shop.ini"))
            let program = """
                import configparser, pathlib, socket
                for path in pathlib.Path("\(package.path)").iterdir():
                    path.read_text()
                settings = configparser.ConfigParser()
                settings.read("\(folder.path)/shop.ini")
                socket.create_connection((\(address), 80), 5)
                """
            let source = folder.appending(path: "shop.py")
            try Data(program.utf8).write(to: source)
            let output = try run([Binaries.ipv6check, "/usr/bin/python3", source.path])
            #expect(output.status == 1, output.told)
            return output.standardError
        }

        @Test func `a file of its own is searched before those of packages`() throws {
            let report = try report(configured: "198.51.100.10", connectingTo: #"settings["shop"]["server"]"#)
            #expect(report.contains("shop.ini:2"), Comment(rawValue: report))
            #expect(!report.contains("searched for"), Comment(rawValue: report))
        }

        @Test func `where no file has the address, the report says how many were searched`() throws {
            let octets = "(198, 50 + 1, 100, 10)"
            let report = try report(configured: "shop.test", connectingTo: #"".".join(map(str, \#(octets)))"#)
            #expect(report.contains("files were opened, and 200 of them searched"), Comment(rawValue: report))
        }
    }
}
