// SPDX-License-Identifier: Apache-2.0
/// What a web service answers on a path, whatever its own resources are.
package struct WebReply: Hashable, Sendable {
    /// 200 to 599: below that an answer is not the final one (RFC 9110 §15.2).
    package var status: Int
    /// `nil` where there is no content.
    package var contentType: String?
    package var body: [UInt8]

    package init(status: Int, contentType: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    static let statuses = 200...599

    /// By the file's extension.
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
