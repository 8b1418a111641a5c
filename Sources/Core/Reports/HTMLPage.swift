// SPDX-License-Identifier: Apache-2.0
/// What pages of HTML have in common: no script, nothing from elsewhere, light and dark.
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
        // Whatever should get into the page in spite of all: it runs nothing and loads nothing.
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

    /// SHA-256 of what stands in the style element, in base64; a test says what it has to be.
    private static let styleDigest: StaticString = "9ei/0G1dnMr3G1LfBh7oOgB5U1GTkudcghl7fr/sT+g="

    private static let style: StaticString = """
        :root { --good: #1a7f37; --bad: #cf222e; --odd: #9a6700; --dim: #59636e; --line: #d1d9e0; --back: #fff; --text: #1f2328; --mark: #fff1c2; --track: #f1f4f7; }
        @media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; --odd: #d29922; --dim: #9198a1; --line: #3d444d; --back: #0d1117; --text: #f0f6fc; --mark: #4d3b00; --track: #1a2029; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 80rem; padding: 1rem; font: 1rem/1.45 system-ui, sans-serif; background: var(--back); color: var(--text); }
        h1 { margin: 0; font-size: 1.5rem; }
        h2 { font-size: 1.1rem; }
        h3 { margin: 1rem 0 .25rem; font-size: .95rem; }
        p { margin: .25rem 0; overflow-wrap: anywhere; }
        a { color: inherit; }
        header { border-left: .4rem solid; padding-left: .8rem; margin-bottom: 1rem; }
        header.good { border-color: var(--good); }
        header.bad { border-color: var(--bad); }
        .good, .good a { color: var(--good); }
        .bad, .bad a { color: var(--bad); }
        .odd, .odd a { color: var(--odd); }
        .dim, .dim a { color: var(--dim); }
        header.good h1, header.bad h1, header p { color: var(--text); }
        header p.dim { color: var(--dim); }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; margin: .5rem 0; }
        th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top; }
        details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: 0 .8rem; }
        details[open] { padding-bottom: .8rem; }
        summary { cursor: pointer; padding: .5rem 0; overflow-wrap: anywhere; }
        pre { margin: .25rem 0; padding: .6rem; border: 1px solid var(--line); border-radius: .3rem; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 40rem; overflow-y: auto; }
        ol { margin: .25rem 0; padding-left: 0; list-style: none; font: .85rem/1.5 ui-monospace, monospace; }
        ol li { display: grid; grid-template-columns: 5.5rem 1fr; gap: .5rem; overflow-wrap: anywhere; }
        mark { background: var(--mark); color: inherit; }
        .pair { display: grid; gap: .8rem; }
        .pair > * { min-width: 0; }
        @media (min-width: 50rem) { .pair { grid-template-columns: 1fr 1fr; } }
        h4 { margin: .8rem 0 0; font-size: .85rem; }
        .chart { margin-bottom: 1rem; font: .8rem/1.3 ui-monospace, monospace; }
        .chart p { margin: .4rem 0 .1rem; }
        .chart svg { display: block; width: 100%; height: .5rem; overflow: visible; background: var(--track); }
        .chart .ruler { height: 1rem; background: none; }
        .chart text { fill: var(--dim); font-size: .75rem; }
        .chart line { stroke: var(--line); }
        .chart rect { fill: currentColor; }
        .chart a { color: var(--bad); font-weight: bold; }
        ul { margin: .25rem 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
        @media print { pre { max-height: none; } }

        """
}
