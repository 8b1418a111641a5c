// SPDX-License-Identifier: Apache-2.0
import Evidence

/// Why a request is not processed further, and the answer for the client.
enum HeadProblem: Error, Hashable {
    case malformed
    case tooLarge
    case otherVersion
    /// It has no host, unlike a request to a proxy.
    case noProxyRequest
    /// A URL with a scheme other than `http`.
    case otherScheme(ProxiedRequest)
    /// A request that must not be forwarded further (Max-Forwards).
    case lastForward(ProxiedRequest)
    /// An IPv6 address without brackets before a port (RFC 3986 §3.2.2).
    case unbracketed(ProxiedRequest)

    var answer: [UInt8] {
        switch self {
        case .malformed: httpAnswer(400, "Bad Request", text: "This is no request that a proxy understands.")
        case .tooLarge: httpAnswer(431, "Request Header Fields Too Large", text: "The head is too large.")
        case .otherVersion: httpAnswer(505, "HTTP Version Not Supported", text: "This proxy speaks HTTP/1.1.")
        case .noProxyRequest:
            httpAnswer(
                400, "Bad Request",
                text: "This is a proxy: ask by CONNECT host:port, by GET http://host/path, or by SOCKS.")
        case .unbracketed:
            httpAnswer(400, "Bad Request", text: "An IPv6 address has brackets before a port: [2001:db8::1]:443.")
        case .otherScheme: httpAnswer(501, "Not Implemented", text: "This proxy fetches http:// only.")
        case .lastForward: httpAnswer(501, "Not Implemented", text: "This proxy only forwards.")
        }
    }

    var request: ProxiedRequest? {
        switch self {
        case .malformed, .tooLarge, .otherVersion, .noProxyRequest: return nil
        case .otherScheme(var wanted), .lastForward(var wanted):
            wanted.result = .notOffered
            return wanted
        case .unbracketed(var wanted):
            wanted.result = .unreadable
            return wanted
        }
    }
}

/// The proxy's own answer, after which the connection ends.
func httpAnswer(_ status: Int, _ reason: String, fields: [String] = [], text: String) -> [UInt8] {
    let lines =
        ["HTTP/1.1 \(status) \(reason)"] + fields
        + ["Content-Type: text/plain", "Content-Length: \(text.utf8.count + 1)", "Connection: close"]
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n\(text)\n").utf8)
}
