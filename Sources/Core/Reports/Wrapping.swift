// SPDX-License-Identifier: Apache-2.0
/// Breaks a line between words so that no part of it is longer than `width` columns, if its words allow that; all parts but the first are
/// indented. Escape sequences (`ESC [ … m`) take no room.
package func wrapped(_ line: String, at width: Int, indent: Int) -> String {
    // On a terminal this narrow the text would be a column of single words.
    guard width >= 2 * indent else { return line }
    var text = ""
    var column = 0
    var rest = line[...]
    while !rest.isEmpty {
        let spaces = rest.prefix { $0 == " " }
        let word = rest.dropFirst(spaces.count).prefix { $0 != " " }
        rest = rest.dropFirst(spaces.count + word.count)
        let columns = columns(of: word)
        if column > indent, column + spaces.count + columns > width {
            text += "\n" + String(repeating: " ", count: indent) + word
            column = indent + columns
        } else {
            text += spaces + word
            column += spaces.count + columns
        }
    }
    return text
}

/// Columns of a word on the terminal.
private func columns(of word: Substring) -> Int {
    var count = 0
    var isEscape = false
    for character in word {
        if character == "\u{1b}" { isEscape = true }
        if !isEscape { count += 1 }
        if character == "m" { isEscape = false }
    }
    return count
}
