// SPDX-License-Identifier: Apache-2.0
/// Any JSON value (RFC 8259): encoding preserves everything except the order of an object's members.
package enum JSONValue: Codable, Hashable, Sendable {
    case null
    case truth(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let truth = try? container.decode(Bool.self) {
            self = .truth(truth)
        } else if let integer = try? container.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let elements = try? container.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .truth(let truth): try container.encode(truth)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    /// The members of an object; empty for other values, which setting them turns into an object.
    package var members: [String: JSONValue] {
        get { if case .object(let members) = self { members } else { [:] } }
        set { self = .object(newValue) }
    }

    /// The elements of an array; empty for other values, which setting them turns into an array.
    package var elements: [JSONValue] {
        get { if case .array(let elements) = self { elements } else { [] } }
        set { self = .array(newValue) }
    }
}
