// SPDX-License-Identifier: Apache-2.0
import Foundation
import Sandbox
import Testing
import Text

@testable import CheckRunner

@Suite struct `A browser's trust in the test CA` {
    private static let authority = "-----BEGIN CERTIFICATE-----\nAAAA\nBBBB\n-----END CERTIFICATE-----\n"

    private func installation(
        _ existing: Set<String>, program: OSString = "/bin/true", home: String = "/home/u"
    ) -> BrowserInstallation {
        BrowserInstallation(
            environment: Environment(entries: ["PATH=/nonexistent", OSString("HOME=\(home)")]), program: program,
            exists: { existing.contains($0) })
    }

    private func value(_ text: [UInt8]?) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(#require(text)))
    }

    @Test func `is a policy of Chromium's, with the certificate in one line`() {
        let policy = BrowserPolicies.chromium(trusting: Self.authority)
        #expect(String(decoding: policy, as: UTF8.self) == #"{"CACertificates": ["AAAABBBB"]}"#)
    }

    @Test func `is a policy of Firefox's, beside the user's own`() throws {
        let none = BrowserPolicies.firefox(nil, installing: "/ca.pem")
        #expect(try value(none) == value(Array(#"{"policies": {"Certificates": {"Install": ["/ca.pem"]}}}"#.utf8)))
        for path in ["/a \"b\" \\c", "/tab\tnewline\nbell\u{7}", "/ü/\u{1F600}"] {
            let policies = try value(BrowserPolicies.firefox(nil, installing: path))
            let certificates = policies.members["policies"]?.members["Certificates"]
            #expect(certificates?.members["Install"]?.elements == [.text(path)])
        }
        let own = """
            {"policies": {"DisableAppUpdate": true, "Certificates": {"ImportEnterpriseRoots": true, "Install": ["a.pem"]},
             "Preferences": {"x": {"Value": 1.5, "Status": null}, "y": {"Value": 3}}}}
            """
        let both = BrowserPolicies.firefox(Array(own.utf8), installing: "/ca.pem")
        #expect(
            try value(both) == value(Array(own.replacing(#"["a.pem"]"#, with: #"["a.pem", "/ca.pem"]"#).utf8)))
    }

    @Test(arguments: ["", "[]", "{", "{\"policies\": {}} x"]) func `is not added to what is no JSON object`(own: String)
    {
        #expect(BrowserPolicies.firefox(Array(own.utf8), installing: "/ca.pem") == nil)
    }

    @Test func `is shown where Chromium has a folder`() {
        #expect(installation(["/etc/chromium"]).chromiumPolicies == ["/etc/chromium/policies/managed"])
        #expect(installation([]).chromiumPolicies.isEmpty)
        #expect(installation([], program: "/opt/chromium/chromium").chromiumPolicies.isEmpty, "/etc is the system's")
    }

    @Test func `is shown below an existing folder where Chrome is the client, or a driver of browsers has fetched it`()
    {
        #expect(installation(["/etc/opt"]).chromiumPolicies.isEmpty)
        #expect(
            installation(["/etc/opt"], program: "/opt/google/chrome/google-chrome").chromiumPolicies
                == ["/etc/opt/chrome/policies/managed"])
        #expect(
            installation(["/etc/opt", "/home/u/.cache/puppeteer"]).chromiumPolicies
                == ["/etc/opt/chrome_for_testing/policies/managed"])
        #expect(installation(["/home/u/.cache/puppeteer"]).chromiumPolicies.isEmpty, "/etc is the system's")
    }

    @Test func `is shown where Firefox is, or in the machine's own policies, which stand above`() {
        #expect(installation([]).firefoxPolicies.isEmpty)
        #expect(installation(["/opt/firefox/omni.ja"]).firefoxPolicies == ["/opt/firefox/distribution"])
        #expect(
            installation(["/opt/firefox/omni.ja", "/etc/firefox/policies/policies.json"]).firefoxPolicies
                == ["/etc/firefox/policies"])
        #expect(
            installation(["/nonexistent/ff/omni.ja"], program: "/nonexistent/ff/firefox").firefoxPolicies
                == ["/nonexistent/ff/distribution"])
    }
}
