// SPDX-License-Identifier: Apache-2.0
extension HTMLWriter {
    /// Writes Markdown in the form of the rules' pages: headings, paragraphs, lists, tables, code.
    /// - Parameter level: level of headings that are `##` in the Markdown.
    mutating func markdown(_ lines: some Sequence<Substring>, level: Int) {
        var block = MarkdownBlock.none
        var rows: [Substring] = []
        func flush(_ page: inout HTMLWriter) {
            page.write(rows, as: block, level)
            (block, rows) = (.none, [])
        }
        for line in lines {
            if block == .fence {
                if line.hasPrefix("```") { flush(&self) } else { rows.append(line) }
                continue
            }
            let kind = MarkdownBlock(line, after: block)
            let isItem = line.hasPrefix("* ") || line.hasPrefix("- ")
            if kind != block || kind == .heading { flush(&self) }
            block = kind
            switch kind {
            case .none, .fence: break
            case .code: rows.append(line.dropFirst(4))
            case .list where !isItem: rows[rows.count - 1] = rows[rows.count - 1] + " " + line.drop { $0 == " " }
            case .list: rows.append(line.dropFirst(2))
            case .heading, .paragraph, .table: rows.append(line)
            }
        }
        flush(&self)
    }

    private mutating func write(_ rows: [Substring], as block: MarkdownBlock, _ level: Int) {
        switch block {
        case .none: break
        case .heading:
            let depth = rows[0].prefix { $0 == "#" }.count
            heading(level + max(0, depth - 2)) { $0.inline(rows[0].drop { "# ".contains($0) }) }
        case .paragraph: element("p") { $0.inline(rows.joined(separator: " ")[...]) }
        case .fence, .code: element("pre") { page in page.element("code", text: rows.joined(separator: "\n")) }
        case .list:
            element("ul") { page in for row in rows { page.element("li") { $0.inline(row) } } }
        case .table:
            element("table") { page in
                // The second row is the line below the table's head.
                for (index, row) in rows.enumerated() where index != 1 {
                    let cells = row.split(separator: "|").map { $0.trimmingSpaces }
                    page.element("tr") { page in
                        for cell in cells {
                            if index == 0 {
                                page.element("th") { $0.inline(cell) }
                            } else {
                                page.element("td") { $0.inline(cell) }
                            }
                        }
                    }
                }
            }
        }
        raw("\n")
    }

    /// Text with `code`, **strong** words and links; of a link within the project's tree only the text remains.
    private mutating func inline(_ text: Substring) {
        var rest = text
        while let match = rest.firstMatch(of: #/`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]\[]*)\]\(([^)]*)\)/#) {
            write(String(rest[..<match.range.lowerBound]))
            if let code = match.1 {
                element("code", text: String(code))
            } else if let strong = match.2 {
                element("b", text: String(strong))
            } else if let text = match.3, let target = match.4 {
                if target.hasPrefix("https://") {
                    element("a", [("href", String(target))]) { $0.inline(text) }
                } else {
                    inline(text)
                }
            }
            rest = rest[match.range.upperBound...]
        }
        write(String(rest))
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let start = drop { $0 == " " }
        return start.prefix(start.count - start.reversed().prefix { $0 == " " }.count)
    }
}

/// A run of lines of Markdown.
private enum MarkdownBlock {
    case none, heading, paragraph, fence, code, list, table

    init(_ line: Substring, after block: MarkdownBlock) {
        self =
            if line.isEmpty { .none } else if line.hasPrefix("```") { .fence } else if line.hasPrefix("#") {
                .heading
            } else if line.hasPrefix("* ") || line.hasPrefix("- ") { .list } else if block == .list, line.hasPrefix(" ")
            { .list } else if line.hasPrefix("    ") { .code } else if line.hasPrefix("|") { .table } else {
                .paragraph
            }
    }
}
