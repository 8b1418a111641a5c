// SPDX-License-Identifier: Apache-2.0
/// An HTTP service's replies on certain paths: the contents of a file (its path relative to the world file's folder, or absolute), a
/// status, or both:
///
///     http:
///       replies:
///         /list.json: list.json
///         /generate_204: 204
///         /down: { file: sorry.html, status: 503 }
///         /api: { file: api.bin, type: application/vnd.example }
///         /old: { status: 302, headers: { Location: http://203.0.113.5/new } }
extension WorldFileReader {
    mutating func readReplies(_ node: YAMLNode) -> [String: WebReply] {
        let example = "{ /list.json: list.json, /generate_204: 204 }"
        guard let entries = map(node, whatItIs: "replies", example: example) else { return [:] }
        var replies: [String: WebReply] = [:]
        for entry in entries {
            guard case .scalar(let path) = entry.key.content, path.hasPrefix("/"), path.utf8.count <= 1024,
                path.utf8.allSatisfy({
                    (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
                })
            else {
                report(
                    "a path of replies begins with / and has neither a query nor blanks, such as /list.json, not "
                        + entry.key.kindDescription, at: entry.key.position)
                continue
            }
            if replies.count == WorldFileLimits.replies {
                report("replies has at most \(WorldFileLimits.replies) paths", at: entry.key.position)
                break
            }
            if let reply = readReply(entry.value) { replies[path] = reply }
        }
        return replies
    }

    private mutating func readReply(_ node: YAMLNode) -> WebReply? {
        switch node.content {
        case .scalar(let text) where !text.isEmpty && text.utf8.allSatisfy({ (0x30...0x39).contains($0) }):
            return number(node, "the status of a reply", in: WebReply.statuses).map { WebReply(status: $0) }
        case .scalar: return readFile(node).map { WebReply(status: 200, contentType: $0.type, body: $0.body) }
        case .map(let entries):
            let fields = fields(entries, of: "a reply", named: Self.replyKeys)
            var reply = WebReply(status: 200)
            if let status = fields["status"].flatMap({ number($0, "the status of a reply", in: WebReply.statuses) }) {
                reply.status = status
            }
            if let file = fields["file"] {
                guard let read = readFile(file) else { return nil }
                (reply.contentType, reply.body) = (read.type, read.body)
            }
            if let node = fields["type"] {
                guard case .scalar(let type) = node.content, type.contains("/"),
                    type.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
                else {
                    report(
                        "the type of a reply is a media type such as application/json, not \(node.kindDescription)",
                        at: node.position)
                    return nil
                }
                reply.contentType = type
            }
            if let node = fields["headers"] { reply.fields = readHeaderFields(node) }
            return reply
        case .list:
            report(
                "a reply is a file, a status, or both: { file: sorry.html, status: 503 }, not a list", at: node.position
            )
            return nil
        }
    }

    static let replyKeys = ["file", "status", "type", "headers"]

    private mutating func readHeaderFields(_ node: YAMLNode) -> [WebReply.Field] {
        let mostFields = 64
        guard let entries = map(node, whatItIs: "headers", example: "{ Location: http://shop.test/ }") else {
            return []
        }
        var fields: [WebReply.Field] = []
        for entry in entries.prefix(mostFields) {
            guard case .scalar(let name) = entry.key.content, case .scalar(let value) = entry.value.content,
                let field = WebReply.Field(name: name, value: value)
            else {
                report(
                    "headers has names with a text each, such as Location: http://shop.test/; content-type is type, and what is about the "
                        + "connection or the length is the server's", at: entry.key.position)
                continue
            }
            fields.append(field)
        }
        if entries.count > mostFields { report("headers has at most \(mostFields) names", at: node.position) }
        return fields.sorted { $0.name < $1.name }
    }

    private mutating func readFile(_ node: YAMLNode) -> (type: String, body: [UInt8])? {
        guard case .scalar(let path) = node.content, !path.isEmpty else {
            report("the file of a reply is a path, such as list.json, not \(node.kindDescription)", at: node.position)
            return nil
        }
        do throws(YAMLFileError) {
            return (WebReply.contentType(of: path), try files.contents(of: path, maximum: WorldFileLimits.replyOctets))
        } catch {
            report("\(error)", at: node.position)
            return nil
        }
    }
}
