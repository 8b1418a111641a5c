// SPDX-License-Identifier: Apache-2.0
/// The reply of a web service on a path, which replaces the service's own resources.
package struct WebReply: Hashable, Sendable {
    /// 200 to 599: a lower status is not that of a final response (RFC 9110 §15.2).
    package var status: Int
    /// `nil` if there is no content.
    package var contentType: String?
    package var body: [UInt8]
    /// Further header fields, sorted by name.
    package var fields: [Field] = []

    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        /// Fields that follow from the reply, or concern the connection (RFC 9110 §7.6.1).
        private static let own: Set = [
            "connection", "content-length", "content-type", "keep-alive", "te", "trailer", "transfer-encoding",
            "upgrade",
        ]
        /// Maximum octets of name and value.
        private static let limit = 8192

        /// `nil` if it is not a valid field, or one that the world file cannot set: a name is a token (RFC 9110 §5.6.2), a value visible
        /// text.
        init?(name: String, value: String) {
            let isToken =
                !name.isEmpty
                && name.utf8.allSatisfy { octet in
                    (0x30...0x39).contains(octet) || (0x41...0x5a).contains(octet) || (0x61...0x7a).contains(octet)
                        || "!#$%&'*+-.^_`|~".utf8.contains(octet)
                }
            guard isToken, value.utf8.allSatisfy({ (0x20...0x7e).contains($0) }), !value.hasPrefix(" "),
                !value.hasSuffix(" "), name.utf8.count + value.utf8.count <= Self.limit,
                !Self.own.contains(name.lowercased())
            else { return nil }
            self.name = name
            self.value = value
        }
    }

    package init(status: Int, contentType: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    static let statuses = 200...599

    /// The content type for the file's extension.
    static func contentType(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return switch name[name.index(after: dot)...].lowercased() {
        case "json": "application/json"
        case "txt": "text/plain; charset=utf-8"
        case "html", "htm": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js", "mjs", "pac": "text/javascript; charset=utf-8"
        case "xml", "plist": "application/xml"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "m3u8": "application/vnd.apple.mpegurl"
        default: "application/octet-stream"
        }
    }
}
