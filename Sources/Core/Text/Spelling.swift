// SPDX-License-Identifier: Apache-2.0
/// The word of `words` closest to `text`, if any is close: at most one mistake per three letters.
package func nearestWord(to text: String, among words: [String]) -> String? {
    let letters = Array(text.lowercased().utf8.prefix(maximumComparedLength))
    let ranked = words.map { (word: $0, distance: editDistance(letters, Array($0.utf8))) }
    guard let nearest = ranked.min(by: { $0.distance < $1.distance }),
        nearest.distance <= max(1, nearest.word.utf8.count / 3)
    else { return nil }
    return nearest.word
}

/// A longer part of a misspelt word cannot make it any closer.
private let maximumComparedLength = 32

/// The number of octets to insert, remove, replace, or exchange with their neighbour that turn one text into the other (optimal string
/// alignment, the restricted form of Damerau and Levenshtein's distance).
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var former: [Int] = []
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var next = [i + 1]
        for (j, b) in right.enumerated() {
            var distance = min(row[j] + (a == b ? 0 : 1), row[j + 1] + 1, next[j] + 1)
            if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { distance = min(distance, former[j - 1] + 1) }
            next.append(distance)
        }
        (former, row) = (row, next)
    }
    return row[right.count]
}

/// `a`, `a and b`, `a, b and c`; beyond `limit` words, `a, b, c and 7 more`.
/// - Parameter conjunction: the word before the last one, such as `or` for alternatives.
package func enumerated(_ words: some Collection<String>, limit: Int = .max, conjunction: String = "and") -> String {
    let names = words.count <= limit ? Array(words) : words.prefix(limit) + ["\(words.count - limit) more"]
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}
