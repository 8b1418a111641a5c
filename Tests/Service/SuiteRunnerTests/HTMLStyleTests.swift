// SPDX-License-Identifier: Apache-2.0
import Digests
import Foundation
import Reports
import Suites
import Testing

@Suite struct HTMLStyleTests {
    @Test func `the page's own policy permits its style`() throws {
        let header = ResultHeader(suite: "s", file: "f", digest: "d", shard: nil, timestamp: "", host: "", cases: [])
        let page = HTMLReport.render(SuiteResults(header: header, cases: [], seconds: 0), pages: { _ in nil })
        let style = try #require(page.firstMatch(of: #/(?s)<style>(.*)</style>/#))
        let digest = Data(Digest.sha256(Array(style.1.utf8))).base64EncodedString()
        #expect(page.contains("style-src 'sha256-\(digest)'"), "HTMLPage.styleDigest must be \(digest)")
    }
}
