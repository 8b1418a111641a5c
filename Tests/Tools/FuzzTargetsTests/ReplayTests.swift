// SPDX-License-Identifier: Apache-2.0
import FuzzTargets
import Testing

/// The inputs that the fuzzer kept, and those with which it found mistakes.
@Suite struct ReplayTests {
    @Test(arguments: FuzzTarget.allCases)
    func `every recorded input passes`(target: FuzzTarget) throws {
        let recorded = try RecordedInputs(of: target)
        #expect(!recorded.inputs.isEmpty)
        for (line, octets) in recorded.inputs {
            #expect(throws: Never.self, "line \(line) of \(target)") { try target.run(octets) }
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `inputs that are short, or of one octet over and over, pass`(target: FuzzTarget) throws {
        for octet in [0, 1, 0x0f, 0x45, 0x60, 0x7f, 0x80, 0xff] as [UInt8] {
            for count in [0, 1, 2, 40, 200] {
                let input = [UInt8](repeating: octet, count: count)
                #expect(throws: Never.self, "\(count) times \(octet)") { try target.run(input) }
            }
        }
    }
}
