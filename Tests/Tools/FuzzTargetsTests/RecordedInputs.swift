// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import FuzzTargets
import Testing
import TestSupport

/// The inputs in `fixtures/fuzz/TARGET.hex`: one a line, in hexadecimal, with blanks and comments as one likes.
struct RecordedInputs {
    var inputs: [(line: Int, octets: [UInt8])] = []

    init(of target: FuzzTarget) throws {
        let path = "\(projectRoot)fixtures/fuzz/\(target.rawValue).hex"
        let text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let digits = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
            if digits.isEmpty { continue }
            let octets = try #require(Self.octets(digits), "line \(index + 1) of \(path)")
            inputs.append((index + 1, octets))
        }
    }

    private static func octets(_ digits: String) -> [UInt8]? {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == digits.count, values.count % 2 == 0 else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
