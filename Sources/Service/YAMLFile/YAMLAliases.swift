/// The first place in a YAML text at which an alias (`*name`) may stand; nil only if there is none.
///
/// A few hundred octets of aliases to aliases describe a tree of billions of nodes, and the YAML library walks all of it
/// where such a tree is a key. So the text is searched before it is parsed. The search errs on the side of refusing: where
/// quoted text looks like an alias behind a separator (`"a, *b"`), it is taken for one.
func firstAlias(in text: [UInt8]) -> SourcePosition? {
    // A token begins behind a line break or one of these, and behind nothing else that is ASCII. Every other octet may belong
    // to one of the line breaks that Unicode has and YAML 1.1 honours.
    let separators = Array("-?:[{,".utf8)
    var opensNode = true
    var isBehindHash = false
    var previousIsBlank = true
    for (offset, octet) in text.enumerated() {
        switch octet {
        case UInt8(ascii: "*") where opensNode && !isBehindHash:
            if offset + 1 < text.count, isNameCharacter(text[offset + 1]) {
                return SourcePosition(offset: offset, in: text)
            }
            opensNode = false
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            opensNode = true
            isBehindHash = false
        case UInt8(ascii: "#") where previousIsBlank:
            // A comment, or part of some scalar. Either lasts to the end of the line, unless quotes are closed before.
            isBehindHash = true
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            isBehindHash = false
            opensNode = false
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            break
        default:
            opensNode = separators.contains(octet) || octet >= 0x80
            // One of Unicode's line breaks ends a comment as well.
            if octet >= 0x80 { isBehindHash = false }
        }
        previousIsBlank = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(
            octet)
    }
    return nil
}

/// What libyaml accepts in the name of an alias.
private func isNameCharacter(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
    default: false
    }
}
