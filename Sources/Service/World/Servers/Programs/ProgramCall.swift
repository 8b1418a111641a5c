// SPDX-License-Identifier: Apache-2.0
import DNS64
import LinuxNet
import NIOCore
import NIOPosix
import NIOTLS

/// Requests the program of a connection after its TLS handshake. Its place is behind TLS. So all that a program writes is
/// encrypted, and a client that cannot send a ClientHello starts no program. A client that ends before that, or takes too
/// long, is closed here, as there is no program yet that would do it.
final class ProgramCall: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let number: Int
    private let service: ServiceEnd
    private let thread: ProgramThread
    private let file: SharedDescriptor
    private var isCalled = false
    private var timer: Scheduled<Void>?

    /// Maximum time of a handshake.
    private static let patience = TimeAmount.seconds(60)

    /// - Parameters:
    ///   - number: the program's number in the world.
    ///   - file: the program's connection.
    init(_ number: Int, _ service: ServiceEnd, _ thread: ProgramThread, _ file: SharedDescriptor) {
        self.number = number
        self.service = service
        self.thread = thread
        self.file = file
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted:
            isCalled = true
            timer?.cancel()
            call(context.channel)
        case ChannelEvent.inputClosed where !isCalled: return context.close(promise: nil)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func call(_ client: any Channel) {
        guard let local = client.localAddress.flatMap(LinuxNet.SocketAddress.init),
            let peer = client.remoteAddress.flatMap(LinuxNet.SocketAddress.init)
        else { return client.close(promise: nil) }
        let request = ProgramRequest(number, local: local, peer: peer)
        thread.tell { [file, service] in $0.take(file, request, service) }
        client.closeFuture.whenComplete { [thread, file] _ in thread.tell { $0.giveUp(file) } }
    }
}

extension LinuxNet.SocketAddress {
    fileprivate init?(_ address: NIOCore.SocketAddress) {
        guard let end = Endpoint(address) else { return nil }
        self.init(end.address, port: end.port)
    }
}
