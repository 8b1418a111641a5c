// SPDX-License-Identifier: Apache-2.0
extension TokenizedSource {
    /// The names of the calls in whose parentheses a word is, the innermost first; at most four.
    func enclosingCalls(of index: Int) -> [String] {
        var names: [String] = []
        var depth = 0
        var place = index - 1
        while place >= 0, index - place < 128, names.count < 4 {
            defer { place -= 1 }
            guard tokens[place].kind == .symbol else { continue }
            switch octets[tokens[place].range.lowerBound] {
            case .closingParenthesis, .closingBracket, .closingBrace: depth += 1
            case UInt8(ascii: ";") where depth == 0: return names
            case .openingBracket where depth > 0, UInt8(ascii: "{") where depth > 0: depth -= 1
            // A brace after a parenthesis or a name opens a body; one after a comma is a value.
            case UInt8(ascii: "{") where !isValue(before: place): return names
            case .openingParenthesis where depth > 0: depth -= 1
            case .openingParenthesis:
                if place > 0, tokens[place - 1].kind == .identifier { names.append(text(tokens[place - 1])) }
            default: break
            }
        }
        return names
    }

    private func isValue(before place: Int) -> Bool {
        ["(", ",", ":", "[", "="].contains { isWord(place - 1, $0) }
    }
}

/// The words of an identifier in lower case: `remoteHost_name` has three. Only the first 256 octets are read, more than any real name has.
func words(of identifier: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var wasSmall = false
    func isCapital(_ octet: UInt8) -> Bool { (0x41...0x5a).contains(octet) }
    for octet in identifier.utf8.prefix(256) {
        let isLetter = octet.isIdentifier && octet != UInt8(ascii: "_") && octet != UInt8(ascii: "$")
        if !isLetter || isCapital(octet) && wasSmall {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        if isLetter { word.append(isCapital(octet) ? octet | 0x20 : octet) }
        wasSmall = isLetter && !isCapital(octet)
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
}
