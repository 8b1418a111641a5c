// SPDX-License-Identifier: Apache-2.0
import Capture

/// A frame's IP packet begins inside the frame, with a valid version.
func fuzzFrame(_ input: [UInt8]) throws(BrokenInvariant) {
    for type in LinkType.allCases {
        guard let offset = type.ipOffset(input.span) else { continue }
        try require(offset >= 0 && offset < input.count, "\(type): a packet at \(offset) of \(input.count)")
        try require(input[offset] >> 4 == 4 || input[offset] >> 4 == 6, "\(type): no version at \(offset)")
        // The link layer does not depend on the octets after the first one of the packet.
        try require(type.ipOffset(Array(input[...offset]).span) == offset, "\(type): the packet's end moves its start")
        try require(offset == 0 || type.ipOffset(Array(input[..<offset]).span) == nil, "\(type): a packet of nothing")
    }
}
