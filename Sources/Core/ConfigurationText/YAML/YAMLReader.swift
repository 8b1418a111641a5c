// SPDX-License-Identifier: Apache-2.0
import Text

/// A reader that turns the tree of a file into values, and continues after a mistake to find the others.
package protocol YAMLReader {
    /// Not in the order of the file.
    var problems: [YAMLFileError.Problem] { get set }
}

/// Maximum number of problems that are reported together.
package let maximumProblems = 100

extension YAMLReader {
    package mutating func report(_ message: String, at position: SourcePosition) {
        if problems.count < maximumProblems {
            problems.append(YAMLFileError.Problem(position: position, message: message))
        }
    }

    // MARK: Shapes

    /// The root's values by their keys; `nil` if it has the wrong form. `version: 1` is required, since another version may change the
    /// meaning of every other key.
    /// - Parameter contents: the other contents to write, for the error about an empty file.
    package mutating func versionedFields(
        _ root: YAMLNode?, of owner: String, named names: [String], contents: String
    ) -> [String: YAMLNode]? {
        let version = "1"
        let start = SourcePosition(line: 1, column: 1)
        guard let root, let entries = map(root, whatItIs: owner, example: "version: \(version)") else {
            if root == nil { report("the file is empty: write version: \(version), then \(contents)", at: start) }
            return nil
        }
        guard let written = entries.first(where: { $0.key.isText("version") })?.value else {
            report("the version is missing: write version: \(version) as the first line", at: root.position)
            return nil
        }
        guard written.isText(version) else {
            report("this program reads version: \(version), not \(written.kindDescription)", at: written.position)
            return nil
        }
        return fields(entries, of: owner, named: ["version"] + names)
    }

    /// The entries of a map; reports anything else. An empty value is an empty map.
    package mutating func map(_ node: YAMLNode, whatItIs: String, example: String) -> [YAMLNode.Entry]? {
        switch node.content {
        case .map(let entries): return entries
        case .scalar(""): return []
        default:
            report("\(whatItIs) must be a map, such as \(example), not \(node.kindDescription)", at: node.position)
            return nil
        }
    }

    /// The entries by their keys, for a map whose keys are known; reports all other keys.
    package mutating func fields(
        _ entries: [YAMLNode.Entry], of owner: String, named names: [String]
    ) -> [String: YAMLNode] {
        var fields: [String: YAMLNode] = [:]
        for entry in entries {
            if case .scalar(let key) = entry.key.content, names.contains(key) {
                fields[key] = entry.value
                continue
            }
            let hint =
                if case .scalar(let key) = entry.key.content, let nearest = nearestWord(to: key, among: names) {
                    " (did you mean \"\(nearest)\"?)"
                } else {
                    ": \(owner) has \(enumerated(names))"
                }
            report("unknown key \(entry.key.kindDescription)\(hint)", at: entry.key.position)
        }
        return fields
    }

    /// The items of a list; any other value is a list of one, and an empty value is an empty list.
    package func items(_ node: YAMLNode) -> [YAMLNode] {
        switch node.content {
        case .list(let items): items
        case .scalar(""): []
        default: [node]
        }
    }
}
