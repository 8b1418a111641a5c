// SPDX-License-Identifier: Apache-2.0
import Text

/// Makes the tree of the only document of a YAML text. The tree is never larger than the text: aliases, which would expand it, are refused;
/// its depth and its number of nodes are bounded.
struct YAMLComposer: ~Copyable {
    /// More levels than any of our files has.
    private static let maximumLevels = 64
    private static let maximumNodes = 1 << 18

    private let text: String
    private let file: String
    /// The subject of the file: "a world".
    private let subject: String
    private var events: YAMLEvents
    private var nodeCount = 0

    init(_ text: String, file: String, of subject: String) {
        self.text = text
        self.file = file
        self.subject = subject
        events = YAMLEvents(Array(text.utf8))
    }

    /// The root; `nil` if there is no document.
    consuming func compose() throws(YAMLFileError) -> YAMLNode? {
        guard try next().kind == .documentStart else { return nil }
        let root = try node(at: try next(), level: 1)
        let rest = try next()
        if rest.kind == .documentStart {
            throw YAMLFileError(
                file: file, "a second document begins here: a file has one, so leave out the --- in between",
                at: rest.position)
        }
        return root
    }

    private mutating func node(at event: YAMLEvents.Event, level: Int) throws(YAMLFileError) -> YAMLNode {
        guard level <= Self.maximumLevels else {
            throw refusal("lists and maps are nested more than \(Self.maximumLevels) levels deep", event)
        }
        nodeCount += 1
        guard nodeCount <= Self.maximumNodes else {
            throw refusal("the file has more than \(Self.maximumNodes) values", event)
        }
        switch event.kind {
        case .listStart:
            return YAMLNode(position: event.position, content: .list(try items(level: level)))
        case .mapStart:
            return YAMLNode(position: event.position, content: .map(try entries(level: level)))
        case .alias:
            throw refusal("aliases (*name) are not part of \(subject) file: write the value out", event)
        case .scalar(let text):
            return YAMLNode(position: event.position, content: .scalar(text))
        case .documentStart, .end, .textEnd:
            // The grammar does not permit these here.
            return YAMLNode(position: event.position, content: .scalar(""))
        }
    }

    private mutating func items(level: Int) throws(YAMLFileError) -> [YAMLNode] {
        var items: [YAMLNode] = []
        while true {
            let event = try next()
            if event.kind == .end { return items }
            items.append(try node(at: event, level: level + 1))
        }
    }

    private mutating func entries(level: Int) throws(YAMLFileError) -> [YAMLNode.Entry] {
        var entries: [YAMLNode.Entry] = []
        var places: [String: SourcePosition] = [:]
        while true {
            let event = try next()
            if event.kind == .end { return entries }
            let key = try node(at: event, level: level + 1)
            if case .scalar(let text) = key.content {
                if let first = places[text] {
                    throw YAMLFileError(
                        file: file,
                        "\"\(excerpt(text))\" stands here and once more below: keep one, and join what belongs together",
                        at: first)
                }
                places[text] = key.position
            }
            entries.append(YAMLNode.Entry(key: key, value: try node(at: try next(), level: level + 1)))
        }
    }

    private mutating func next() throws(YAMLFileError) -> YAMLEvents.Event {
        do throws(YAMLEvents.Malformed) {
            return try events.next()
        } catch {
            throw YAMLFileError(error, text: text, file: file)
        }
    }

    private func refusal(_ message: String, _ event: YAMLEvents.Event) -> YAMLFileError {
        YAMLFileError(file: file, message, at: event.position)
    }
}
