// SPDX-License-Identifier: Apache-2.0
/// The fuzzer's input as a sequence of decisions.
///
/// After its end every decision is the first alternative, so that any input, and any part of one, is valid. Loops that make decisions end
/// when `isEmpty`.
struct Choices {
    private let input: [UInt8]
    private var offset = 0

    init(_ input: [UInt8]) {
        self.input = input
    }

    var isEmpty: Bool { offset >= input.count }

    mutating func octet() -> UInt8 {
        guard offset < input.count else { return 0 }
        defer { offset += 1 }
        return input[offset]
    }

    mutating func number16() -> UInt16 { UInt16(octet()) << 8 | UInt16(octet()) }
    mutating func number32() -> UInt32 { UInt32(number16()) << 16 | UInt32(number16()) }

    /// A number below `limit`, which is at most 256.
    mutating func below(_ limit: Int) -> Int { Int(octet()) % limit }

    /// True once in `count` times, and never after the end.
    mutating func oneIn(_ count: Int) -> Bool { below(count) == count - 1 }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// The remaining octets, at most `count`.
    mutating func octets(_ count: Int) -> [UInt8] {
        let end = min(input.count, offset + count)
        defer { offset = end }
        return Array(input[min(offset, end)..<end])
    }

    mutating func rest() -> [UInt8] { octets(input.count) }
}
