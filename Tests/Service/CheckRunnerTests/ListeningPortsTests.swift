// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CheckRunner

@Suite struct ListeningPortsTests {
    @Test func `ports are those of sockets that listen, of either family`() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 21 1 0000000000000000 100 0 0 10 0
               1: 0100007F:1F90 0100007F:C000 01 00000000:00000000 00:00000000 00000000     0        0 22 1 0000000000000000 20 4 30 10 -1
               2: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 23 1
            """
        #expect(listeningPorts(in: table) == [8080, 80])
    }

    @Test(arguments: ["", "\n", "sl\n0A", "sl\n 0: x y 0A", "sl\n 0: 00:FFFFF 00:0 0A 1", "sl\n 0: :: 0 0A 1"])
    func `what makes no sense is passed over`(_ table: String) {
        #expect(listeningPorts(in: table).isEmpty)
    }
}
