// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The part of JSON Schema that `docs/openapi.yaml` uses; values without a description are not allowed.
struct Schema {
    let document: [String: Any]

    /// The parts of `value` that violate `schema`.
    func violations(_ value: Any, _ schema: Any?, at path: String = "$") -> [String] {
        guard let schema = resolved(schema) else { return ["\(path): no schema"] }
        if let choices = schema["enum"] as? [String], !choices.contains((value as? String) ?? "") {
            return ["\(path): \(value) is none of \(choices)"]
        }
        switch schema["type"] as? String {
        case "object": return objectViolations(value, schema, path)
        case "array":
            guard let items = value as? [Any] else { return ["\(path): no array"] }
            return items.enumerated().flatMap { violations($1, schema["items"], at: "\(path)[\($0)]") }
        case "string":
            guard let text = value as? String else { return ["\(path): no string"] }
            if schema["format"] as? String == "date-time",
                text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) == nil
            {
                return ["\(path): \(text) is no time"]
            }
            return []
        case "boolean": return value is Bool ? [] : ["\(path): no boolean"]
        case "integer", "number": return numberViolations(value, schema, path)
        default: return ["\(path): a schema of no type"]
        }
    }

    private func objectViolations(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        guard let members = value as? [String: Any] else { return ["\(path): no object"] }
        let missing = (schema["required"] as? [String] ?? []).filter { members[$0] == nil }
        let properties = schema["properties"] as? [String: Any] ?? [:]
        return missing.map { "\(path).\($0): missing" }
            + members.flatMap { name, member in
                violations(member, properties[name] ?? schema["additionalProperties"], at: "\(path).\(name)")
            }
    }

    private func numberViolations(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        guard let number = value as? NSNumber else { return ["\(path): no number"] }
        if schema["type"] as? String == "integer", number.doubleValue != number.doubleValue.rounded() {
            return ["\(path): \(number) is no integer"]
        }
        if let minimum = schema["minimum"] as? Int, number.doubleValue < Double(minimum) {
            return ["\(path): \(number) is less than \(minimum)"]
        }
        return []
    }

    /// An object of the document, behind its `$ref` where it is one.
    func resolved(_ node: Any?) -> [String: Any]? {
        guard let node = node as? [String: Any] else { return nil }
        guard let reference = node["$ref"] as? String else { return node }
        var target: Any? = document
        for step in reference.dropFirst(2).split(separator: "/") { target = (target as? [String: Any])?[String(step)] }
        return resolved(target)
    }
}
