// SPDX-License-Identifier: Apache-2.0
/// The frame of all HTML pages: no script, no external resources, light and dark.
enum HTMLPage {
    static func render(title: String, _ body: (inout HTMLWriter) -> Void) -> String {
        var page = HTMLWriter()
        page.raw(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">

            """)
        // If anything gets into the page despite the escaping, it runs nothing and loads nothing.
        page.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-")
        page.raw(styleDigest)
        page.raw("'\">\n")
        page.element("title", text: title)
        page.raw("\n<style>\n")
        page.raw(style)
        page.raw("</style>\n</head>\n<body>\n")
        body(&page)
        page.raw("</body>\n</html>\n")
        return page.text
    }

    /// The id for a name: without spaces, which an id must not contain.
    static func anchor(_ name: String) -> String { name.split(whereSeparator: \.isWhitespace).joined(separator: "_") }

    /// SHA-256 of the style element's text, in base64; a test checks it.
    private static let styleDigest: StaticString = "ENvZuSabHoqahtfC32cMufVNSIPhPZlZX8zwgUE8CDo="

    private static let style: StaticString = """
        :root { --good: #1a7f37; --bad: #cf222e; --odd: #9a6700; --dim: #59636e; --line: #d1d9e0; --back: #fff; --text: #1f2328; --mark: #fff1c2; --track: #f1f4f7; }
        @media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; --odd: #d29922; --dim: #9198a1; --line: #3d444d; --back: #0d1117; --text: #f0f6fc; --mark: #3a2d00; --track: #1a2029; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 80rem; padding: 1rem; overflow-wrap: anywhere; font: 1rem/1.45 system-ui, sans-serif; background: var(--back); color: var(--text); }
        h1 { margin: 0; font-size: 1.5rem; }
        h2 { margin: 1.5rem 0 .5rem; font-size: 1.2rem; }
        h3 { margin: 1rem 0 .25rem; font-size: 1.05rem; }
        h4, h5, h6 { margin: .8rem 0 .2rem; font-size: .95rem; }
        p { margin: .25rem 0; }
        a { color: inherit; }
        :focus-visible { outline: .15rem solid var(--good); outline-offset: .1rem; }
        header { border-left: .4rem solid; padding-left: .8rem; margin-bottom: 1rem; }
        header.good { border-color: var(--good); }
        header.bad { border-color: var(--bad); }
        .good, .good a { color: var(--good); }
        .bad, .bad a { color: var(--bad); }
        .odd, .odd a { color: var(--odd); }
        .dim { color: var(--dim); font-weight: normal; }
        header h1, header p { color: var(--text); }
        header p.dim { color: var(--dim); }
        .scroll { overflow-x: auto; overflow-wrap: normal; }
        .target { scroll-margin-top: 3rem; }
        table { border-collapse: collapse; margin: .5rem 0; }
        th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top; }
        details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: 0 .8rem; }
        details[open] { padding-bottom: .8rem; }
        summary { cursor: pointer; padding: .5rem 0; }
        summary h2 { display: inline; font-size: 1rem; }
        pre { margin: .25rem 0; padding: .6rem; border: 1px solid var(--line); border-radius: .3rem; font-size: .85rem; white-space: pre-wrap; }
        code { font-family: ui-monospace, monospace; font-size: .9em; }
        pre code { font-size: 1em; }
        .source { margin: .5rem 0; padding: .4rem .8rem; border-left: .2rem solid var(--bad); background: var(--track); }
        .source span { display: block; font-size: .85rem; }
        .source code { white-space: pre-wrap; }
        dl { display: grid; grid-template-columns: fit-content(10rem) 1fr; gap: .2rem 1rem; margin: .5rem 0; }
        dt { grid-column: 1; color: var(--dim); }
        dd { grid-column: 2; margin: 0; white-space: pre-wrap; }
        mark { background: var(--mark); color: inherit; }
        .pair { display: grid; gap: .8rem 1.5rem; }
        .pair > * { min-width: 0; }
        .pair > :only-child { grid-column: 1 / -1; }
        @media (min-width: 50rem) { .pair { grid-template-columns: 1fr 1fr; } }
        .chart { margin-bottom: 1rem; }
        .chart ul { margin: 0; padding: 0; list-style: none; font: .85rem/1.4 ui-monospace, monospace; }
        .chart li { display: grid; grid-template-columns: 1fr max-content; gap: 0 .8rem; margin: .3rem 0; }
        .chart li.cause { background: var(--mark); outline: .25rem solid var(--mark); }
        .chart li.cause .dim { color: var(--text); }
        .chart svg { grid-column: 1 / -1; display: block; width: 100%; height: .5rem; overflow: visible; background: var(--track); }
        .chart .ruler { height: 1rem; background: none; }
        .chart text { fill: var(--dim); font-size: .75rem; }
        .chart li span { white-space: pre-wrap; }
        .chart line { stroke: var(--bad); }
        .chart rect { fill: currentColor; }
        .chart a { color: var(--bad); font-weight: bold; }
        .chart details { margin: .3rem 0; font-size: .85rem; }
        ul { margin: .25rem 0; padding-left: 1.2rem; }

        """
}
