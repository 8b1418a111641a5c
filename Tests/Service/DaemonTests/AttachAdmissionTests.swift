// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Testing

@testable import Daemon

struct AdmissionTests {
    private let stranger = UnixPeer(user: 1001, group: 1001, process: 7)

    @Test func `the own user and root may always`() {
        let admission = AttachAdmission(user: 1000, group: nil, admitsEveryone: false)
        #expect(admission.permits(UnixPeer(user: 0, group: 0, process: 1)) { _ in false })
        #expect(admission.permits(UnixPeer(user: 1000, group: 1, process: 1)) { _ in false })
        #expect(!admission.permits(stranger) { _ in true })
        #expect(admission.mode == 0o600)
    }

    @Test func `members of the group may`() {
        let admission = AttachAdmission(user: 1000, group: 50, admitsEveryone: false)
        #expect(admission.permits(stranger) { $0 == 50 })
        #expect(!admission.permits(stranger) { $0 == 51 })
        #expect(admission.mode == 0o660)
    }

    @Test func `everyone may where the configuration says so`() {
        let admission = AttachAdmission(user: 1000, group: nil, admitsEveryone: true)
        #expect(admission.permits(stranger) { _ in false })
        #expect(admission.mode == 0o666)
    }
}
