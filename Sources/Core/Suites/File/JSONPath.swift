// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Text

/// A place in a JSON document: `items[0].name`.
package struct JSONPath: Hashable, Sendable {
    private enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    private var steps: [Step] = []

    /// `nil` if the text is no path. A key ends at the next `.` or `[`; the empty path is the document.
    package init?(_ text: String) {
        var rest = text[...]
        while let first = rest.first {
            if first == "[" {
                let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
                rest = rest.dropFirst(1 + digits.count)
                guard let index = Int(digits), rest.popFirst() == "]" else { return nil }
                steps.append(.index(index))
            } else {
                if first == "." { rest.removeFirst() } else if !steps.isEmpty { return nil }
                let key = rest.prefix { $0 != "." && $0 != "[" }
                if key.isEmpty { return nil }
                steps.append(.key(String(key)))
                rest = rest.dropFirst(key.count)
            }
        }
    }

    /// The scalar at the path, as JSON writes it but without a string's quotes; `nil` if there is none.
    package func value(in text: String) -> String? {
        guard var value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else { return nil }
        for step in steps {
            switch (step, value) {
            case (.key(let key), .object(let members)):
                guard let member = members[key] else { return nil }
                value = member
            case (.index(let index), .array(let elements)):
                guard elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value.scalar
    }
}

extension JSONValue {
    fileprivate var scalar: String? {
        switch self {
        case .null: "null"
        case .truth(let truth): truth ? "true" : "false"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .text(let text): text
        case .array, .object: nil
        }
    }
}
