// SPDX-License-Identifier: Apache-2.0
import Text

/// A GET request for a page of a server under test, or of a program of the world.
package struct PageRequest: Codable, Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: String, Codable, Hashable, Sendable, CaseIterable {
        case http
        /// TLS, with any certificate, and HTTP/2 if the server supports it.
        case https
    }

    package var scheme: Scheme
    package var port: UInt16
    /// With the leading slash.
    package var path: String

    package init(_ scheme: Scheme, _ port: UInt16, path: String) {
        self.scheme = scheme
        self.port = port
        self.path = path
    }

    /// Reads `8080/healthz`, or `/healthz` if there is a default port. A path has only visible ASCII characters (RFC 9112 §3.2).
    package init?(_ text: some StringProtocol, _ scheme: Scheme, default port: UInt16? = nil) {
        guard let slash = text.firstIndex(of: "/"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            let port = slash == text.startIndex ? port : portNumber(text[..<slash])
        else { return nil }
        self.init(scheme, port, path: String(text[slash...]))
    }

    /// "GET /healthz at port 8080"
    package var description: String {
        "GET \(excerpt(path)) at port \(port)" + (scheme == .https ? " by HTTPS" : "")
    }
}
