import LinuxNet
import Wire

/// One address that is served, over both transports.
final class DNSPort {
    /// Queries are shorter, and replies kept shorter: larger ones go over TCP.
    static let longestDatagram = 4096

    let datagrams: DatagramSocket
    let listener: StreamListener
    let address: SocketAddress
    var queries = DatagramBatch(datagramCapacity: longestDatagram)
    var replies = DatagramBatch(datagramCapacity: longestDatagram)
    /// While there is no room for another connection, when to look again.
    var acceptsAgain: Instant?

    init(_ address: SocketAddress) throws(SystemError) {
        datagrams = try DatagramSocket(bindingTo: address)
        var address = address
        // Both transports have the same port, chosen by us or by the kernel.
        address.port = datagrams.localAddress.port
        self.address = address
        listener = try StreamListener(bindingTo: address)
    }
}
