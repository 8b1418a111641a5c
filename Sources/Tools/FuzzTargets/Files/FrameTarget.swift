// SPDX-License-Identifier: Apache-2.0
import Capture

/// Wherever a frame has its IP packet, that begins inside the frame, with the version of one.
func fuzzFrame(_ input: [UInt8]) throws(BrokenInvariant) {
    for type in LinkType.allCases {
        guard let offset = type.ipOffset(input.span) else { continue }
        try require(offset >= 0 && offset < input.count, "\(type): a packet at \(offset) of \(input.count)")
        try require(input[offset] >> 4 == 4 || input[offset] >> 4 == 6, "\(type): no version at \(offset)")
        // What lies behind the first octet of the packet is none of the link layer's business.
        try require(type.ipOffset(Array(input[...offset]).span) == offset, "\(type): the packet's end moves its start")
        try require(offset == 0 || type.ipOffset(Array(input[..<offset]).span) == nil, "\(type): a packet of nothing")
    }
}
