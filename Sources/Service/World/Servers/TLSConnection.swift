// SPDX-License-Identifier: Apache-2.0
import HTTPServing
import NIOCore
import NIOSSL
import NIOTLS

/// An alert that a server sends before there are keys (RFC 8446 §6).
///
///      0      1      2      3      4      5      6
///     +------+------+------+------+------+------+------+
///     | 21   | 3      3    | 0      2    | 2    | what |
///     +------+------+------+------+------+------+------+
///      type   version       length        fatal
struct TLSAlert: Hashable, Sendable {
    let number: UInt8

    /// RFC 8446 §9.2: the server requires a server name.
    static let missingExtension = TLSAlert(number: 109)
    /// RFC 6066 §3: the server has no such name.
    static let unrecognisedName = TLSAlert(number: 112)

    var record: ByteBuffer { ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, number]) }
}

/// The server name in a ClientHello and the choice that was made for it: an event for the handlers behind TLS.
struct ServerNameChoice: Sendable {
    let serverName: String?
    /// Whether another name could have led to another choice.
    let dependsOnName: Bool
    let choice: ServerCertificates.Choice
}

/// A client's connection to a service over TLS. The ClientHello is read first, as it selects the certificate.
struct TLSConnection<Base: ServerConnection>: ServerConnection {
    typealias Value = Base.Value

    let base: Base
    let certificates: ServerCertificates

    func setUp(_ channel: any Channel) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.readServerName(choosingFrom: certificates)
        }.flatMap { base.setUp(channel) }
    }

    func serve(_ value: Value) async {
        await base.serve(value)
    }
}

extension Channel {
    /// Reads the ClientHello, and then adds TLS behind its reader.
    func readServerName(choosingFrom certificates: ServerCertificates) throws {
        let reader = SNIHandler { [unowned self] result in
            let name: String? = if case .hostname(let name) = result { name } else { nil }
            let choice = certificates.choose(name)
            return eventLoop.makeCompletedFuture {
                let place = try pipeline.syncOperations.context(handlerType: ByteToMessageHandler<SNIHandler>.self)
                place.fireUserInboundEventTriggered(
                    ServerNameChoice(serverName: name, dependsOnName: certificates.dependOnName, choice: choice))
                switch choice {
                case .show(let shown):
                    try pipeline.syncOperations.addHandlers(
                        [ClientAlertReader(), NIOSSLServerHandler(context: shown.context)],
                        position: .after(place.handler))
                case .close(let alert):
                    place.writeAndFlush(NIOAny(alert.record), promise: nil)
                    place.close(promise: nil)
                    // The error keeps the reader in the pipeline, and with it the octets that it has read.
                    throw ChannelError.eof
                }
            }
        }
        try pipeline.syncOperations.addHandler(ByteToMessageHandler(reader))
    }
}
