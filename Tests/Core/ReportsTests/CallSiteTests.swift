// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing

@testable import Reports

@Suite struct CallSiteTests {
    @Test func `the caller is the program or its library`() {
        var site = CallSite()
        #expect(phrase(site) == "a program")
        site.program = "client"
        #expect(phrase(site) == "client")
        site.module = "./client"
        site.offset = 0x11f0
        #expect(phrase(site) == "client+0x11f0")
        site.module = "/usr/lib/libcurl.so.4"
        #expect(phrase(site) == "client, libcurl.so.4+0x11f0")
    }
}
