import Testing

@testable import Simulator

@Suite struct ClientFilesTests {
    @Test func onlyTheHostsLineChanges() {
        let system =
            "# comment\npasswd: files systemd\nhosts: files mdns4_minimal [NOTFOUND=return] dns\n  hosts : x\nservices: db\n"
        #expect(
            ClientFiles.nameServiceSwitch(system)
                == "hosts: files dns\n# comment\npasswd: files systemd\nservices: db\n")
    }

    @Test func aSystemWithoutTheFileGetsTheLine() {
        #expect(ClientFiles.nameServiceSwitch(nil) == "hosts: files dns\n")
    }
}
