// SPDX-License-Identifier: Apache-2.0
/// The path of the value in a structured text that contains an octet, in the usual notation: `$.peers[0].ip`.
struct ValuePath {
    /// The current index of an array, or the key of the current value in an object.
    enum Step {
        case index(Int)
        case key(String)
    }

    var steps: [Step] = []

    /// Deeper texts are not parsed.
    static let maximumDepth = 64
    private static let keyLimit = 60

    var text: String {
        steps.reduce("$") { text, step in
            switch step {
            case .index(let index): text + "[\(index)]"
            case .key(let key): text + (Self.isIdentifier(key) ? ".\(key)" : "['\(key)']")
            }
        }
    }

    private static func isIdentifier(_ key: String) -> Bool {
        !key.isEmpty
            && key.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0 & 0xdf) || $0 == 0x5f }
    }

    // MARK: - JSON

    /// `nil` if the text up to that octet is not valid JSON; the text after it may be missing.
    static func inJSON(_ text: [UInt8], at offset: Int) -> ValuePath? {
        guard let first = text.first(where: { $0 > 32 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else {
            return nil
        }
        var path = ValuePath()
        var isKeyNext = false
        var position = 0
        while position < text.count, position <= offset {
            switch text[position] {
            case UInt8(ascii: "{"):
                path.steps.append(.key(""))
                isKeyNext = true
            case UInt8(ascii: "["):
                path.steps.append(.index(0))
                isKeyNext = false
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if path.steps.popLast() == nil { return nil }
                isKeyNext = false
            case UInt8(ascii: ","):
                switch path.steps.last {
                case .index(let index): path.steps[path.steps.count - 1] = .index(index + 1)
                case .key: isKeyNext = true
                case nil: return nil
                }
            case UInt8(ascii: "\""):
                let end = stringEnd(text, from: position)
                if offset <= end { return path }
                if isKeyNext, case .key? = path.steps.last {
                    path.steps[path.steps.count - 1] = .key(plain(text[(position + 1)..<end], limit: keyLimit))
                    isKeyNext = false
                }
                position = end
            default: break
            }
            if path.steps.count > maximumDepth { return nil }
            position += 1
        }
        return path.steps.isEmpty ? nil : path
    }

    /// The closing quotation mark of a string; the text's last octet if there is none.
    private static func stringEnd(_ text: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position, text.count - 1)
    }

    // MARK: - Bencode

    /// BEP 3: `d5:peers12:…e`. `nil` if the text up to that octet is not valid bencode.
    static func inBencode(_ text: [UInt8], at offset: Int) -> ValuePath? {
        guard let first = text.first, first == UInt8(ascii: "d") || first == UInt8(ascii: "l") else { return nil }
        var path = ValuePath()
        var isKeyNext = false
        var position = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "d"):
                path.steps.append(.key(""))
                isKeyNext = true
                position += 1
                if path.steps.count > maximumDepth { return nil }
                continue
            case UInt8(ascii: "l"):
                path.steps.append(.index(0))
                isKeyNext = false
                position += 1
                if path.steps.count > maximumDepth { return nil }
                continue
            case UInt8(ascii: "e"):
                if path.steps.popLast() == nil || path.steps.isEmpty { return nil }
                position += 1
            case UInt8(ascii: "i"):
                guard let end = text[position...].firstIndex(of: UInt8(ascii: "e")) else { return nil }
                position = end + 1
            case 0x30...0x39:
                guard let colon = text[position...].prefix(8).firstIndex(of: UInt8(ascii: ":")),
                    let length = Int(String(decoding: text[position..<colon], as: UTF8.self)), length >= 0
                else { return nil }
                let start = colon + 1
                let end = start + min(length, text.count - start)
                if isKeyNext, case .key? = path.steps.last {
                    if offset < end { return nil }
                    path.steps[path.steps.count - 1] = .key(plain(text[start..<end], limit: keyLimit))
                    isKeyNext = false
                    position = end
                    continue
                }
                if offset < start { return nil }
                if offset < end { return path }
                position = end
            default: return nil
            }
            // After a value.
            switch path.steps.last {
            case .index(let index): path.steps[path.steps.count - 1] = .index(index + 1)
            case .key: isKeyNext = true
            case nil: return nil
            }
        }
        return nil
    }
}
