// SPDX-License-Identifier: Apache-2.0
internal import Wire

/// A packet as a link's descriptor transfers it: a `virtio_net_hdr`, the link's own header if it has one, and the packet. The headers
/// are in the buffer's headroom, so nothing is copied.
///
/// Always inlined: each device has its own loop-free copy, in which the closures are plain code.
extension PacketBuffer {
    /// Fills the buffer with one frame.
    /// - Parameters:
    ///   - linkHeader: octets between the `virtio_net_hdr` and the packet.
    ///   - receive: the system call; returns the number of octets, or a negative number and `errno`.
    @inline(__always)
    mutating func readFrame(
        linkHeader: Int = 0, by receive: (UnsafeMutableRawBufferPointer) -> Int,
        failing result: (Errno) -> LinkDevice.ReadResult
    ) -> LinkDevice.ReadResult {
        var outcome = LinkDevice.ReadResult.packet
        var offload = Offload.none
        let prefix = VirtioNetHeader.size + linkHeader
        unsafe fill(prefix: prefix) { target in
            let length = retrying { unsafe receive(target) }
            if length < 0 {
                outcome = result(.last)
                return 0
            }
            let packetLength = length - prefix
            guard packetLength > 0,
                let described = unsafe VirtioNetHeader.decode(
                    .init(target), packetLength: packetLength, behind: UInt16(linkHeader))
            else {
                outcome = .malformed
                return 0
            }
            offload = described
            return length
        }
        self.offload = offload
        return outcome
    }

    /// Sends the packet as one frame.
    /// - Parameters:
    ///   - linkHeader: octets between the `virtio_net_hdr` and the packet, which `send` writes.
    ///   - send: the system call; returns a negative number and sets `errno` if the kernel refused the frame.
    @inline(__always)
    mutating func writeFrame(
        linkHeader: Int = 0, by send: (UnsafeMutableRawBufferPointer) -> Int,
        failing result: (Errno) -> LinkDevice.WriteResult
    ) -> LinkDevice.WriteResult {
        let offload = offload
        return unsafe withBytes(prefix: VirtioNetHeader.size + linkHeader) { bytes in
            unsafe VirtioNetHeader.encode(offload, into: bytes, before: UInt16(linkHeader))
            return retrying { unsafe send(bytes) } >= 0 ? .written : result(.last)
        }
    }
}
