// SPDX-License-Identifier: Apache-2.0
/// How that is called which a user can choose: advice names it as it is written where the run was described.
package enum OptionWords: Sendable {
    case commandLine
    case suiteFile

    /// What options are called in a suite file, and what is not said where there is no such key.
    private static let inSuiteFile = [
        ("stopped by --timeout", "stopped after the test's timeout"), ("--getaddrinfo apple", "getaddrinfo: apple"),
        ("without --getaddrinfo", "without the key getaddrinfo"),
        ("without --url-loading", "without the key url-loading"), (" (--verbose shows all)", ""),
        (" (--uplink host: the real one)", ""),
        ("with --uplink host (docs/", "through a daemon with uplink: host (docs/"),
        ("--host-port ", "host-ports: "), ("(--prefix ", "(a prefix of dns64 in the world file: "),
    ]

    /// A text of ours with the words of this place.
    func spelled(_ text: String) -> String {
        switch self {
        case .commandLine: text
        case .suiteFile: Self.inSuiteFile.reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
    }
}
