// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Text
import World

/// Policies that make browsers trust one more certificate. Browsers have certificates of their own, and read no file of the system's.
enum BrowserPolicies {
    /// For Chromium and its relatives, as a file beside others: the policy CACertificates.
    static func chromium(trusting authority: String) -> [UInt8] {
        Array(#"{"CACertificates": ["\#(PEM.base64(authority))"]}"#.utf8)
    }

    /// Firefox's policies.json, of which there is only one, with one more file in `Certificates.Install`.
    /// - Parameters:
    ///   - policies: the user's; `nil` if there are none.
    ///   - path: the certificate in PEM.
    /// - Returns: `nil` if the user's policies are of another form.
    static func firefox(_ policies: [UInt8]?, installing path: String) -> [UInt8]? {
        // Most users have none, and the first use of a coder takes a thirtieth of a run.
        guard let policies else {
            return Array(#"{"policies": {"Certificates": {"Install": [\#(jsonString(path))]}}}"#.utf8)
        }
        guard var document = try? JSONDecoder().decode(JSONValue.self, from: Data(policies)), case .object = document
        else { return nil }
        document.members["policies", default: .null].members["Certificates", default: .null]
            .members["Install", default: .null].elements.append(.text(path))
        return (try? JSONEncoder().encode(document)).map { Array($0) }
    }
}
