// SPDX-License-Identifier: Apache-2.0
/// The words for options in advice, which depend on where the user described the run.
package enum OptionWords: Sendable {
    case commandLine
    case suiteFile

    /// The words in a suite file for options of the command line; empty if there is no such key.
    private static let inSuiteFile = [
        ("stopped by --timeout", "stopped after the test's timeout"), ("--getaddrinfo apple", "getaddrinfo: apple"),
        ("without --getaddrinfo", "without the key getaddrinfo"),
        ("without --url-loading", "without the key url-loading"), (" (--verbose shows all)", ""),
        (" (--uplink host: the real one)", ""),
        ("with --uplink host (docs/", "through a daemon with uplink: host (docs/"),
        ("--host-port ", "host-ports: "), ("(--prefix ", "(a prefix of dns64 in the world file: "),
    ]

    /// Our own text, with this place's words for options.
    func spelled(_ text: String) -> String {
        switch self {
        case .commandLine: text
        case .suiteFile: Self.inSuiteFile.reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
    }
}
