// SPDX-License-Identifier: Apache-2.0
import Foundation
import Sandbox
import Testing

@testable import CheckRunner

@Suite struct `A client's trust in the test CA` {
    private static let authority = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"

    private func trust(_ variables: String...) -> ClientTrust {
        ClientTrust(
            authority: Self.authority, environment: Environment(entries: variables.map { OSString($0) }),
            program: "/bin/true")
    }

    private func withFile(_ contents: String, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "trust-\(UUID().uuidString).pem")
        try Data(contents.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    private func contents(_ path: String, of trust: ClientTrust) -> String? {
        guard let file = trust.files.first(where: { $0.paths.contains(path) }) else { return nil }
        let beginning = file.beginning.flatMap { FileManager.default.contents(atPath: $0.path) } ?? Data()
        return String(decoding: beginning + file.contents, as: UTF8.self)
    }

    @Test func `is the system's bundle where the user has none`() {
        let trust = trust("SSL_CERT_FILE=")
        #expect(
            trust.variables.map(\.name)
                == ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"])
        #expect(Set(trust.variables.map(\.path)).count == 1)
        #expect(contents(trust.variables[0].path, of: trust)?.hasSuffix(Self.authority) == true)
        #expect(trust.notes.isEmpty)
    }

    @Test(arguments: ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"])
    func `extends the user's own file in its place, and says so`(name: String) throws {
        try withFile("the user's own") { path in
            let trust = trust("\(name)=\(path)")
            #expect(contents(path, of: trust) == "the user's own" + Self.authority)
            #expect(!trust.variables.contains { $0.name == name }, "it stays as it is")
            #expect(trust.variables.count == 3)
            #expect(trust.notes == ["\(name): the test CA was added to \(path)."])
        }
    }

    @Test func `extends a file once that two variables name`() throws {
        try withFile("one\n") { path in
            let trust = trust("SSL_CERT_FILE=\(path)", "CURL_CA_BUNDLE=\(path)")
            #expect(trust.files.count { $0.paths == [path] } == 1)
            #expect(contents(path, of: trust) == "one\n" + Self.authority)
            #expect(trust.variables.map(\.name) == ["REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"])
        }
    }

    @Test(arguments: [("/nonexistent/own.pem", "cannot be read"), ("/tmp", "is a folder")])
    func `says what cannot be extended`(path: String, reason: String) {
        let trust = trust("NODE_EXTRA_CA_CERTS=\(path)")
        #expect(trust.variables.contains { $0.name == "NODE_EXTRA_CA_CERTS" })
        #expect(
            trust.notes == [
                "NODE_EXTRA_CA_CERTS: \(path) \(reason); the system's certificates and the test CA took its place."
            ])
    }

    @Test func `stands beside a folder of certificates, which is not widened by the system's`() throws {
        let trust = trust("SSL_CERT_DIR=/etc/own/certs")
        let file = try #require(trust.variables.first { $0.name == "SSL_CERT_FILE" })
        #expect(contents(file.path, of: trust) == Self.authority)
        #expect(trust.notes == ["SSL_CERT_DIR: the test CA was added beside it, by SSL_CERT_FILE."])
    }
}
