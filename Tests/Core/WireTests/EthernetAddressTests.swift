// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@Suite struct EthernetAddressTests {
    @Test func `it is written as it is read`() {
        let address = EthernetAddress("02:00:5e:10:0a:ff")!
        #expect("\(address)" == "02:00:5e:10:0a:ff" && address.octets == [2, 0, 0x5e, 0x10, 0x0a, 0xff])
        #expect(EthernetAddress("2:0:5E:10:A:FF") == address && EthernetAddress(address.octets) == address)
    }

    @Test(arguments: [
        "", "02:00:5e:10:00", "02:00:5e:10:00:01:02", "02-00-5e-10-00-01", "02:00:5e:10:00:", "002:0:0:0:0:1",
        "+2:0:0:0:0:1", "g2:0:0:0:0:1",
    ])
    func `anything else is none`(_ text: String) { #expect(EthernetAddress(text) == nil) }

    @Test func `an interface has another address that no manufacturer gives`() {
        for text in ["3c:22:fb:00:11:22", "02:42:ac:11:00:02"] {
            let address = EthernetAddress(text)!
            #expect(address.sibling != address && address.sibling.isLocal && !address.sibling.isGroup)
        }
        #expect(EthernetAddress("01:00:5e:00:00:01")!.isGroup)
    }
}
