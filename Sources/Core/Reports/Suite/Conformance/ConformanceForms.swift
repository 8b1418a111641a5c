// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Suites
import Text

extension ConformanceStatement {
    package enum Form: Sendable {
        case markdown, html, json

        /// The form by the file name's extension; Markdown for any other.
        package init(path: String) {
            self = path.hasSuffix(".json") ? .json : path.hasSuffix(".html") ? .html : .markdown
        }
    }

    /// UTF-8 text with a final newline.
    package func encoded(as form: Form) throws -> String {
        switch form {
        case .markdown: return "# \(markdownEscaped(title))\n\n" + blocks.map(\.markdown).joined()
        case .html:
            return HTMLPage.render(title: title) { page in
                page.heading(1) { $0.write(title) }
                for block in blocks { block.write(to: &page) }
            }
        case .json: return String(decoding: try encodedForPeople(self), as: UTF8.self)
        }
    }

    private var title: String {
        "\(programs.count == 1 ? baseName(programs[0].path) : suite) and IPv6: what was tested"
    }

    /// The contents for a person, in order.
    private var blocks: [Block] {
        let facts =
            programs.map { ["program", "\($0.path), \($0.digest)"] }
            + [["tested", "\(date), by \(tool)"], ["tests", "\(suite), \(tests)"]]
            + (invocation.isEmpty ? [] : [["command", printable(shellQuoted(invocation))]])
        let questions = answers.flatMap { answer in
            [.heading(answer.question), .paragraph(answer.answer)]
                + (answer.because.isEmpty ? [] : [Block.list(answer.because)])
        }
        let ready =
            "A sentence such as that of SV-84969r1, an application is compatible with and ready for IPv6 networks, rests on the answer to the first question."
        return [.table(["fact", ""], facts)] + questions + [
            .paragraph(ready), .heading("What was tested"),
            .table(["area", "tag", "cases"], areas.map { [$0.area, $0.tag, $0.result] }), .heading("Cases"),
            .table(
                ["test", "network", "result", "remark"], rows.map { [$0.test, $0.network, $0.result, $0.remark] }),
        ]
    }

    private enum Block {
        case heading(String)
        case paragraph(String)
        case list([String])
        /// Its head and its rows.
        case table([String], [[String]])

        var markdown: String {
            switch self {
            case .heading(let text): return "## \(markdownEscaped(text))\n\n"
            case .paragraph(let text): return "\(markdownEscaped(text))\n\n"
            case .list(let items): return items.map { "* \(markdownEscaped($0))\n" }.joined() + "\n"
            case .table(let head, let rows):
                let lines = [head] + [head.map { _ in "---" }] + rows.map { $0.map(markdownEscaped) }
                return lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined() + "\n"
            }
        }

        func write(to page: inout HTMLWriter) {
            switch self {
            case .heading(let text): page.heading(2) { $0.write(text) }
            case .paragraph(let text): page.element("p", text: text)
            case .list(let items): page.element("ul") { page in for item in items { page.element("li", text: item) } }
            case .table(let head, let rows):
                page.element("table") { page in
                    page.element("tr") { page in for cell in head { page.element("th", text: cell) } }
                    for row in rows {
                        page.element("tr") { page in for cell in row { page.element("td", text: cell) } }
                    }
                }
            }
        }
    }
}
