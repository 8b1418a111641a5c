// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

/// Advice for users of common tools, which they do not change but call otherwise.
enum Tool {
    /// The setting that keeps the tool to IPv4, and how to leave it; `nil` for other programs.
    static func adviceOnIPv4(at site: CallSite?) -> String? {
        guard let program = site?.program else { return nil }
        return adviceOnIPv4[baseName(program)]
    }

    private static let adviceOnIPv4 = [
        "curl": "Leave -4 out, and ipv4 in .curlrc: curl then tries both families.",
        "dig": "Give the name to the program that connects, or ask for both types: dig NAME A NAME AAAA.",
        "getent": "Call getent ahosts in place of getent hosts and ahostsv4: it looks up both families.",
        "host": "Give the name to the program that connects, or leave -t A out: host then asks for both types.",
        "git": "Leave -4 out: git then tries both families.",
        "nc": "Leave -4 out: nc then tries both families.",
        "ping": "Leave -4 out: ping then takes the family of the address.",
        "ssh": "Leave -4 out, and AddressFamily inet in its configuration: ssh then tries both families.",
        "wget": "Leave -4 out, and inet4_only in .wgetrc: wget then tries both families.",
    ]
}
