// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// The head of a request to an HTTP proxy, and the head that is forwarded to the host.
///
/// The rest of the connection, including bodies, passes unchanged. So the forwarded request ends the connection with its answer (RFC 9112
/// §9.6): a client makes a new connection for another host.
struct RequestHead {
    struct Field {
        /// In lower case.
        let name: String
        let value: ArraySlice<UInt8>
        let line: ArraySlice<UInt8>
    }

    private let method: String
    private let target: ArraySlice<UInt8>
    private let isVersion1_0: Bool
    private let fields: [Field]

    /// The proxy's own entry (RFC 9110 §7.6.3).
    static let via = "Via: 1.1 ipv6check"
    /// Fields between the client and the proxy only (RFC 9110 §7.6.1, §11.7.2), besides those that Connection names; and Host, which comes
    /// from the target (RFC 9112 §3.2.2).
    private static let notForwarded: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "te", "upgrade", "proxy-authorization", "host", "max-forwards",
    ]
    /// The fields that delimit the body, forwarded even if Connection names them.
    private static let framing: Set<String> = ["transfer-encoding", "content-length"]

    /// - Parameter lines: the request line first.
    init(_ lines: [ArraySlice<UInt8>]) throws(HeadProblem) {
        // RFC 9112 §3: method SP request-target SP HTTP-version
        let words = (lines.first ?? []).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isTokenOctet), !words[1].isEmpty,
            words[1].allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw .malformed }
        let version = String(decoding: words[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw version.hasPrefix("HTTP/") ? .otherVersion : .malformed
        }
        method = String(decoding: words[0], as: UTF8.self)
        target = words[1]
        isVersion1_0 = version == "HTTP/1.0"
        var fields: [Field] = []
        for line in lines.dropFirst() {
            // §5.1: "No whitespace is allowed between the field name and colon"; a line that begins with whitespace (§5.2) has no name.
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(\.isTokenOctet),
                !line.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") })
            else { throw .malformed }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            fields.append(Field(name: name, value: line[(colon + 1)...], line: line))
        }
        self.fields = fields
        // §3.2: 400 to "any HTTP/1.1 request message that lacks a Host header field and to any request message that contains more than one".
        let hosts = fields.count { $0.name == "host" }
        guard hosts == 1 || hosts == 0 && isVersion1_0 else { throw .malformed }
    }

    func proxyRequest() throws(HeadProblem) -> ProxyRequest {
        let text = String(decoding: target, as: UTF8.self)
        if method == "CONNECT" {
            // RFC 9110 §9.3.6: "a server MUST reject a CONNECT request that targets an empty or invalid port number".
            guard let end = Authority(text), let port = end.port else {
                if let colon = text.lastIndex(of: ":"), IPv6Address(String(text[..<colon])) != nil,
                    let port = Authority("x\(text[colon...])")?.port
                {
                    throw .unbracketed(ProxiedRequest(.connect, host: String(text[..<colon]), port: port))
                }
                throw .malformed
            }
            return ProxyRequest(ProxiedRequest(.connect, host: end.host, port: port))
        }
        guard let scheme = text.firstRange(of: "://"), !text.hasPrefix("/") else { throw .noProxyRequest }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let resource = rest[authority.endIndex...]
        guard let end = Authority(authority), !resource.contains("#") else { throw .malformed }
        let wanted = ProxiedRequest(.request, host: end.host, port: end.port ?? 80)
        guard text[..<scheme.lowerBound].lowercased() == "http" else { throw .otherScheme(wanted) }
        // RFC 9112 §3.2.1, §3.2.4: an empty path is "/", or "*" for OPTIONS.
        let path =
            resource.isEmpty && method == "OPTIONS" ? "*" : resource.hasPrefix("/") ? "\(resource)" : "/\(resource)"
        return ProxyRequest(wanted, head: try forwarded(path, to: authority, wanted))
    }

    private func forwarded(
        _ path: String, to authority: Substring, _ wanted: ProxiedRequest
    ) throws(HeadProblem) -> [UInt8] {
        var lines = ["\(method) \(path) HTTP/1.\(isVersion1_0 ? 0 : 1)", "Host: \(authority)"]
        // RFC 9110 §7.6.2
        if let written = fields.first(where: { $0.name == "max-forwards" }), ["TRACE", "OPTIONS"].contains(method) {
            let text = String(decoding: written.value, as: UTF8.self).filter { $0 != " " && $0 != "\t" }
            guard let count = UInt32(text) else { throw .malformed }
            guard count > 0 else { throw .lastForward(wanted) }
            lines.append("Max-Forwards: \(count - 1)")
        }
        let named = fields.filter { $0.name == "connection" }.flatMap { field in
            String(decoding: field.value, as: UTF8.self).lowercased().split { ", \t".contains($0) }.map(String.init)
        }
        let left = Self.notForwarded.union(named).subtracting(Self.framing)
        var head = Array(lines.joined(separator: "\r\n").utf8)
        for field in fields where !left.contains(field.name) {
            head += [0x0d, 0x0a] + field.line
        }
        return head + Array("\r\n\(Self.via)\r\nConnection: close\r\n\r\n".utf8)
    }
}
