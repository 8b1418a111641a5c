// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// An alert that a client sent in plain text: an event for the handlers behind TLS.
struct ClientAlert: Hashable, Sendable {
    let number: UInt8
}

/// Reads the fatal alerts that a client sends in plain text during the handshake. Its place is before TLS.
///
/// OpenSSL switches to the keys of TLS 1.3 only with its Finished, so it sends its alert about a certificate without encryption.
/// By RFC 8446 §6 an alert is encrypted as the connection's state says, so BoringSSL sees a damaged record. An encrypted alert is
/// inside a record of another type (§5.2), and TLS reads it.
final class ClientAlertReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Maximum records to inspect: no client's handshake has more.
    private static let records = 16
    private static let headerLength = 5
    private static let alertType: UInt8 = 21
    private static let fatal: UInt8 = 2

    private var recordsLeft = records
    /// The octets of the record's header received so far, and those of an alert's body (two octets).
    private var start: [UInt8] = []
    /// Octets of the record that are still to come.
    private var left = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if recordsLeft > 0, let alert = read(unwrapInboundIn(data)) { context.fireUserInboundEventTriggered(alert) }
        context.fireChannelRead(data)
    }

    func read(_ buffer: ByteBuffer) -> ClientAlert? {
        var octets = buffer.readableBytesView
        while !octets.isEmpty, recordsLeft > 0 {
            if left > 0 {
                let skipped = min(left, octets.count)
                octets = octets.dropFirst(skipped)
                left -= skipped
                if left == 0 { finish() }
                continue
            }
            start.append(octets.removeFirst())
            guard start.count >= Self.headerLength else { continue }
            let length = Int(start[3]) << 8 | Int(start[4])
            let isAlert = start[0] == Self.alertType && length == 2
            if start.count == Self.headerLength, !isAlert {
                left = length
                if left == 0 { finish() }
            } else if start.count == Self.headerLength + 2 {
                let (level, number) = (start[5], start[6])
                finish()
                if level == Self.fatal { return ClientAlert(number: number) }
            }
        }
        return nil
    }

    private func finish() {
        start = []
        recordsLeft -= 1
    }
}
