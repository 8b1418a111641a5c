// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing

@Suite("RFC 6891 §6: the OPT record")
struct RFC6891Section6Tests {
    private static let header = "0001 0100 0000 0000 0000"

    @Test
    func `size, version, DO, the upper bits of the response code and options are read and written`() throws {
        var message = Message(id: 1, flags: .response, responseCode: .badVersion)
        message.edns = EDNS(
            udpPayloadSize: 4096, version: 3, dnssecOK: true, options: [EDNSOption(code: 10, data: [1, 2, 3])])
        let read = try readMessage(message.encoded())
        #expect(read == message)
        #expect(read.responseCode == .badVersion)
    }

    @Test
    func `extended errors are a code and a text (RFC 8914 §2)`() throws {
        let error = ExtendedError(infoCode: ExtendedError.synthesized, text: "from 192.0.2.1")
        #expect(error.option.data.prefix(2) == [0, 29])
        #expect(EDNS(options: [error.option, EDNSOption(code: 10, data: [])]).extendedErrors == [error])
        #expect(ExtendedError(EDNSOption(code: ExtendedError.optionCode, data: [0])) == nil)
    }

    @Test(arguments: [
        bytes(header, "0002", "00 0029 04d0 00000000 0000", "00 0029 04d0 00000000 0000"),
        bytes(header, "0001", "0161 00 0029 04d0 00000000 0000"),
        bytes("0001 8000 0000 0001 0000 0000", "00 0029 04d0 00000000 0000"),
        bytes("0001 8000 0000 0000 0001 0000", "00 0029 04d0 00000000 0000"),
    ])
    func `a second OPT, one with a name, and one outside the additional section are format errors (§6.1.1, §6.1.2)`(
        message: [UInt8]
    ) {
        #expect(throws: MessageError.misplacedOPT) { try readMessage(message) }
    }

    @Test
    func `options that run over the end of the record are a format error`() {
        let message = bytes(Self.header, "0001", "00 0029 04d0 00000000 0005", "000f 0004 0000 0000")
        #expect(throws: MessageError.badRecordData(type: .opt, length: 5)) { try readMessage(message) }
    }
}
