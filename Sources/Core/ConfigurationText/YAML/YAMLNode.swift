// SPDX-License-Identifier: Apache-2.0
import Text

/// A node of a YAML document, and its position.
package struct YAMLNode {
    package var position: SourcePosition
    package var content: Content

    package enum Content {
        case scalar(String)
        case list([YAMLNode])
        case map([Entry])
    }

    package struct Entry {
        package var key: YAMLNode
        package var value: YAMLNode
    }

    package func isText(_ text: String) -> Bool {
        if case .scalar(text) = content { true } else { false }
    }

    /// The name of its kind, for messages.
    package var kindDescription: String {
        switch content {
        case .scalar(""): "nothing"
        case .scalar(let text): "\"\(excerpt(text))\""
        case .list(let items): items.isEmpty ? "an empty list" : "a list"
        case .map: "a map"
        }
    }
}
