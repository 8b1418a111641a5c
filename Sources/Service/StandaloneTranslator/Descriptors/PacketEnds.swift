// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import NAT64
import Wire

/// The sources and destinations of a live translation's packets.
///
/// A side has one descriptor. If both sides have the same one, it is watched as the IPv6 side's.
protocol PacketEnds: AnyObject {
    func descriptor(of side: Side) -> Int32
    func read(into packet: inout PacketBuffer, from side: Side) -> PacketRead
    func write(_ packet: inout PacketBuffer, to side: Side) -> PacketWrite
    /// Waits until there is room for a packet; false if the deadline came first.
    func waitUntilWritable(_ side: Side, until deadline: Instant) -> Bool
}

enum PacketRead {
    case packet
    /// A packet was lost, because it was too long or could not be parsed.
    case malformed
    case wouldBlock
    case closed
}

enum PacketWrite {
    case written
    case wouldBlock
    /// The other end is gone.
    case closed
    /// The other end refuses such packets.
    case failed
}

/// Two sockets that the process has inherited, one for each family.
final class SocketEnds: PacketEnds {
    private let ipv6: PacketSocket
    private let ipv4: PacketSocket

    init(ipv6: Int32, ipv4: Int32) throws {
        if ipv6 == ipv4 { throw TranslatorError("descriptor \(ipv6) cannot be both sides") }
        self.ipv6 = try Self.socket(ipv6)
        self.ipv4 = try Self.socket(ipv4)
    }

    private static func socket(_ number: Int32) throws -> PacketSocket {
        do throws(SystemError) { return try PacketSocket(inheriting: number) } catch {
            guard error.errno == .EPROTOTYPE else { throw error }
            throw TranslatorError(
                "descriptor \(number) is a stream (SOCK_STREAM), which does not keep packets apart: give a socket of type"
                    + " SOCK_DGRAM or SOCK_SEQPACKET")
        }
    }

    func descriptor(of side: Side) -> Int32 { side == .ipv6 ? ipv6.descriptor : ipv4.descriptor }

    func read(into packet: inout PacketBuffer, from side: Side) -> PacketRead {
        switch side == .ipv6 ? ipv6.read(into: &packet) : ipv4.read(into: &packet) {
        case .packet: .packet
        case .tooLong: .malformed
        case .wouldBlock: .wouldBlock
        case .closed, .error: .closed
        }
    }

    func write(_ packet: inout PacketBuffer, to side: Side) -> PacketWrite {
        switch side == .ipv6 ? ipv6.write(&packet) : ipv4.write(&packet) {
        case .written: .written
        case .wouldBlock: .wouldBlock
        case .closed: .closed
        // The socket cannot take a packet as large as this one.
        case .error: .failed
        }
    }

    func waitUntilWritable(_ side: Side, until deadline: Instant) -> Bool {
        side == .ipv6 ? ipv6.waitUntilWritable(until: deadline) : ipv4.waitUntilWritable(until: deadline)
    }
}

/// One network interface for both families.
final class InterfaceEnds: PacketEnds {
    private let device: TUNDevice

    /// Takes an existing interface (`ip tuntap add NAME mode tun`), with its addresses and routes, or makes one.
    init(name: String) throws {
        do throws(SystemError) { device = try TUNDevice.create(name: name) } catch {
            switch error.errno {
            case .EPERM, .EACCES:
                throw TranslatorError("\(error): a TUN needs CAP_NET_ADMIN, or one that is this user's own")
            case .EBUSY: throw TranslatorError("\(error): another program has this interface open")
            case .EINVAL: throw TranslatorError("\(error): there is an interface of this name that is no TUN")
            default: throw error
            }
        }
    }

    func descriptor(of side: Side) -> Int32 { device.descriptor }

    func read(into packet: inout PacketBuffer, from side: Side) -> PacketRead {
        switch device.read(into: &packet) {
        case .packet: .packet
        case .malformed: .malformed
        case .wouldBlock: .wouldBlock
        // The interface has been deleted.
        case .deleted, .error: .closed
        }
    }

    func write(_ packet: inout PacketBuffer, to side: Side) -> PacketWrite {
        switch device.write(&packet) {
        case .written: .written
        case .wouldBlock: .wouldBlock
        // The interface is down, most probably.
        case .deleted, .error: .failed
        }
    }

    /// A TUN takes every packet at once, or not at all.
    func waitUntilWritable(_ side: Side, until deadline: Instant) -> Bool { true }
}
