// SPDX-License-Identifier: Apache-2.0
import NAT64
import Testing
import Translation

@testable import Simulator

@Suite("The NAT64 of a run") struct NAT64OfRunsTests {
    /// A packet without DF is cut for the smaller of this and the client's link.
    @Test func `the client's link is the whole path`() {
        #expect(NAT64Configuration.ofRFC.translation.lowestIPv6MTU == TranslationOptions.largestMTU)
    }
}
