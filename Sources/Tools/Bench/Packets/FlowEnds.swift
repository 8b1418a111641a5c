// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

/// The two ends of a conversation, on both sides of the NAT64.
struct FlowEnds {
    let host: TransportAddress6
    let remote: TransportAddress4
    /// The host's address and port after translation.
    var mapped = TransportAddress4(IPv4Address(bits: 0), 0)

    /// The flow with that number. A host has sixteen flows.
    init(number: Int) {
        let address = IPv6Address(bits: Self.hosts.bits | UInt128(number / Self.perHost))
        host = TransportAddress6(address, UInt16(1024 + number % Self.perHost))
        remote = TransportAddress4(IPv4Address(bits: Self.remotes.bits | UInt32(number % 200 + 1)), 53)
    }

    private static let hosts = IPv6Address(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0)
    private static let remotes = IPv4Address(198, 51, 100, 0)
    private static let perHost = 16

    /// The remote as the host sees it.
    var destination: IPv6Address { Pref64.ofBench.embed(remote.address) }
}

extension FlowEnds {
    /// Sends the first packets of a conversation through the NAT64, and records the host's mapping.
    mutating func establish(_ transport: TransportProtocol, in nat64: inout NAT64, _ sink: Sink) {
        var buffer = PacketBuffer(capacity: 64)
        establish(transport, in: &nat64, &buffer, sink)
    }

    /// The same with a reused buffer.
    mutating func establish(
        _ transport: TransportProtocol, in nat64: inout NAT64, _ buffer: inout PacketBuffer, _ sink: Sink
    ) {
        guard transport == .tcp else {
            writeRequest(UpperLayer(transport), length: 64, into: &buffer)
            nat64.receive(&buffer, from: .ipv6, at: .zero, output: sink)
            mapped = sink.lastSource
            return
        }
        writeRequest(UpperLayer(.tcp, flags: .syn), length: 60, into: &buffer)
        nat64.receive(&buffer, from: .ipv6, at: .zero, output: sink)
        mapped = sink.lastSource
        writeReply(UpperLayer(.tcp, flags: [.syn, .ack]), length: 40, into: &buffer)
        nat64.receive(&buffer, from: .ipv4, at: .zero, output: sink)
        writeRequest(UpperLayer(.tcp, flags: .ack), length: 60, into: &buffer)
        nat64.receive(&buffer, from: .ipv6, at: .zero, output: sink)
    }

    /// Makes the packet from the host to the remote; `length` is the whole packet's.
    func writeRequest(_ upper: UpperLayer, length: Int, into buffer: inout PacketBuffer) {
        buffer.reset()
        buffer.resize(to: length)
        let upperLength = length - IPv6Header.length
        var bytes = buffer.mutableBytes
        IPv6Header.Fields(
            payloadLength: UInt16(upperLength), nextHeader: upper.numberOverIPv6, source: host.address,
            destination: destination
        ).write(to: &bytes)
        upper.write(to: &bytes, at: IPv6Header.length, from: host.port, to: remote.port, isRequest: true)
        let pseudoHeader = InternetChecksum(
            pseudoHeaderFrom: host.address, to: destination, of: upper.numberOverIPv6, length: upperLength)
        upper.finish(&buffer, at: IPv6Header.length, pseudoHeader)
    }

    /// Makes the packet from the remote to the host's mapping.
    func writeReply(_ upper: UpperLayer, length: Int, into buffer: inout PacketBuffer) {
        buffer.reset()
        buffer.resize(to: length)
        let upperLength = length - IPv4Header.length
        var bytes = buffer.mutableBytes
        var header = IPv4Header.Fields(
            totalLength: UInt16(length), protocolNumber: upper.numberOverIPv4, source: remote.address,
            destination: mapped.address)
        header.dontFragment = true
        header.write(to: &bytes)
        upper.write(to: &bytes, at: IPv4Header.length, from: remote.port, to: mapped.port, isRequest: false)
        var pseudoHeader = InternetChecksum()
        // ICMPv4 has no pseudo-header in its checksum (RFC 792).
        if upper.transport != .icmp {
            pseudoHeader = InternetChecksum(
                pseudoHeaderFrom: remote.address, to: mapped.address, of: upper.numberOverIPv4, length: upperLength)
        }
        upper.finish(&buffer, at: IPv4Header.length, pseudoHeader)
    }
}
