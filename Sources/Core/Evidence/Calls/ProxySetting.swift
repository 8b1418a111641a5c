// SPDX-License-Identifier: Apache-2.0
/// An environment variable that sets a proxy for programs, or the hosts that are reached without one.
package struct ProxySetting: Codable, Hashable, Sendable {
    /// As it was spelt, `http_proxy`.
    package var variable: String
    /// The proxy's host, without brackets. The entries of `no_proxy` are in `exceptions`.
    package var host: String?
    package var port: UInt16?
    /// The entries of `no_proxy`, as they were written.
    package var exceptions: [String] = []

    /// More entries than a list written by hand has.
    private static let exceptionLimit = 256

    /// `nil` for any other variable. User names and passwords are left out, as the evidence is shown.
    package init?(variable: String, value: String) {
        self.variable = variable
        switch variable.lowercased() {
        case "no_proxy":
            exceptions = value.split(whereSeparator: { $0 == "," || $0.isWhitespace }).prefix(Self.exceptionLimit)
                .map(String.init)
            if exceptions.isEmpty { return nil }
        case "http_proxy", "https_proxy", "all_proxy", "ftp_proxy":
            guard let end = HostAndPort(ofURL: value) else { return nil }
            (host, port) = (end.host, end.port)
        default: return nil
        }
    }
}

/// The host of a URL, and its port if it has one.
package struct HostAndPort: Hashable, Sendable {
    /// Without brackets.
    package var host: String
    package var port: UInt16?

    /// Longer texts are not URLs of hosts.
    private static let lengthLimit = 4096

    /// - Parameter text: `http://user@host:port/path`, or a part of it.
    package init?(ofURL text: String) {
        guard text.utf8.count <= Self.lengthLimit else { return nil }
        var rest = text[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let sign = rest.lastIndex(of: "@") { rest = rest[rest.index(after: sign)...] }
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
        } else if rest.filter({ $0 == ":" }).count > 1 {
            // An IPv6 address without brackets has no port.
            host = String(rest)
            rest = ""
        } else {
            host = String(rest.prefix { $0 != ":" })
            rest = rest.dropFirst(host.count)
        }
        if host.isEmpty { return nil }
        port = UInt16(rest.dropFirst())
    }
}
