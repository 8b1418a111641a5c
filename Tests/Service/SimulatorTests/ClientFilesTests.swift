// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Simulator

@Suite struct ClientFilesTests {
    @Test func `only the hosts line changes`() {
        let system =
            "# comment\npasswd: files systemd\nhosts: files mdns4_minimal [NOTFOUND=return] dns\n  hosts : x\nservices: db\n"
        #expect(
            ClientFiles.nameServiceSwitch(system)
                == "hosts: files dns\n# comment\npasswd: files systemd\nservices: db\n")
    }

    @Test func `a system without the file gets the line`() {
        #expect(ClientFiles.nameServiceSwitch(nil) == "hosts: files dns\n")
    }
}
