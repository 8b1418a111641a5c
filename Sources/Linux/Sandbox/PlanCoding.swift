// SPDX-License-Identifier: Apache-2.0
import Topology
internal import LinuxNet
internal import Wire

/// Writes a plan's values one after the other: numbers as 64 bits, least significant octet first, and everything else as
/// a count and its parts. Both ends are the same executable, so there are no versions or tags.
struct PlanWriter {
    private(set) var bytes: [UInt8] = []

    /// - Parameter room: expected number of octets; more are possible.
    init(room: Int = 0) { bytes.reserveCapacity(room) }

    mutating func number(_ value: some BinaryInteger) {
        let bits = UInt64(truncatingIfNeeded: value)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }

    mutating func octets(_ octets: [UInt8]) {
        number(octets.count)
        bytes += octets
    }

    mutating func text(_ text: String) { octets(Array(text.utf8)) }

    mutating func list<Element>(_ elements: [Element], _ body: (inout PlanWriter, Element) -> Void) {
        number(elements.count)
        for element in elements { body(&self, element) }
    }

    mutating func optional<Value>(_ value: Value?, _ body: (inout PlanWriter, Value) -> Void) {
        list(value.map { [$0] } ?? [], body)
    }
}

/// Reads the output of `PlanWriter`, and never traps on other input.
struct PlanReader {
    struct Malformed: Error {}

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func number<Number: FixedWidthInteger>() throws(Malformed) -> Number {
        guard rest.count >= 8 else { throw Malformed() }
        let bits = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
        return Number(truncatingIfNeeded: bits)
    }

    mutating func octets() throws(Malformed) -> [UInt8] {
        let count: UInt64 = try number()
        guard count <= UInt64(rest.count) else { throw Malformed() }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    mutating func text() throws(Malformed) -> String {
        String(decoding: try octets(), as: UTF8.self)
    }

    mutating func list<Element>(
        _ body: (inout PlanReader) throws(Malformed) -> Element
    ) throws(Malformed) -> [Element] {
        let count: UInt64 = try number()
        // Each element has at least one number, which bounds a false count.
        guard count <= UInt64(rest.count / 8) else { throw Malformed() }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try body(&self)) }
        return elements
    }

    mutating func optional<Value>(
        _ body: (inout PlanReader) throws(Malformed) -> Value
    ) throws(Malformed) -> Value? {
        try list(body).first
    }

    /// Whether everything has been read.
    var isAtEnd: Bool { rest.isEmpty }
}

extension ClientPlan {
    var encoded: [UInt8] {
        // The environment and the rest take a few pages.
        var writer = PlanWriter(room: files.reduce(16_384) { $0 + $1.contents.count })
        writer.octets(program.bytes)
        writer.list(arguments) { $0.octets($1.bytes) }
        writer.list(environment.entries) { $0.octets($1.bytes) }
        network.write(to: &writer)
        writer.list(files) { writer, file in
            writer.list(file.paths) { $0.text($1) }
            writer.optional(file.beginning) { writer, beginning in
                writer.text(beginning.path)
                writer.optional(beginning.identity) { writer, identity in
                    writer.number(identity.device)
                    writer.number(identity.inode)
                    writer.number(identity.changed)
                }
            }
            writer.octets(file.contents)
            writer.number(file.isOptional ? 1 : 0)
        }
        writer.list(maskedSockets) { $0.text($1) }
        writer.optional(socketName) { $0.text($1) }
        writer.number(recordsClosedSockets ? 1 : 0)
        writer.list(servedPorts) { $0.number($1) }
        writer.number(isNetworkHeld ? 1 : 0)
        writer.number(isTraced ? 1 : 0)
        writer.number(leavesTerminal ? 1 : 0)
        inheritance.write(to: &writer)
        return writer.bytes
    }

    init(decoding bytes: [UInt8]) throws(PlanReader.Malformed) {
        var reader = PlanReader(bytes)
        program = OSString(try reader.octets())
        arguments = try reader.list { reader throws(PlanReader.Malformed) in OSString(try reader.octets()) }
        environment = Environment(
            entries: try reader.list { reader throws(PlanReader.Malformed) in OSString(try reader.octets()) })
        network = try ClientNetwork(from: &reader)
        files = try reader.list { reader throws(PlanReader.Malformed) in
            ShownFile(
                paths: try reader.list { reader throws(PlanReader.Malformed) in try reader.text() },
                beginning: try reader.optional { reader throws(PlanReader.Malformed) in
                    ShownFile.Beginning(
                        path: try reader.text(),
                        identity: try reader.optional { reader throws(PlanReader.Malformed) in
                            FileIdentity(
                                device: try reader.number(), inode: try reader.number(), changed: try reader.number())
                        })
                },
                contents: try reader.octets(), isOptional: try reader.number() as UInt8 != 0)
        }
        maskedSockets = try reader.list { reader throws(PlanReader.Malformed) in try reader.text() }
        socketName = try reader.optional { reader throws(PlanReader.Malformed) in try reader.text() }
        recordsClosedSockets = try reader.number() as UInt8 != 0
        servedPorts = try reader.list { reader throws(PlanReader.Malformed) in try reader.number() }
        isNetworkHeld = try reader.number() as UInt8 != 0
        isTraced = try reader.number() as UInt8 != 0
        leavesTerminal = try reader.number() as UInt8 != 0
        inheritance = try Inheritance(from: &reader)
        if !reader.isAtEnd { throw PlanReader.Malformed() }
    }
}

extension ClientNetwork {
    func write(to writer: inout PlanWriter) {
        writer.text(interface)
        writer.number(mtu)
        writer.optional(ipv4) { writer, side in
            writer.number(side.address.bits)
            writer.number(side.prefixLength)
            writer.number(side.gateway.bits)
        }
        writer.optional(ipv6) { writer, side in
            writer.ipv6(side.address)
            writer.number(side.prefixLength)
            writer.ipv6(side.gateway)
            writer.number(side.isAdvertised ? 1 : 0)
        }
        writer.number(hasIPv4Loopback ? 1 : 0)
    }

    init(from reader: inout PlanReader) throws(PlanReader.Malformed) {
        self.init(
            interface: try reader.text(), mtu: try reader.number(),
            ipv4: try reader.optional { reader throws(PlanReader.Malformed) in
                IPv4(
                    address: IPv4Address(bits: try reader.number()), prefixLength: try reader.number(),
                    gateway: IPv4Address(bits: try reader.number()))
            },
            ipv6: try reader.optional { reader throws(PlanReader.Malformed) in
                IPv6(
                    address: try reader.ipv6(), prefixLength: try reader.number(), gateway: try reader.ipv6(),
                    isAdvertised: try reader.number() as UInt8 != 0)
            },
            hasIPv4Loopback: try reader.number() as UInt8 != 0)
    }
}

extension PlanWriter {
    fileprivate mutating func ipv6(_ address: IPv6Address) {
        number(UInt64(truncatingIfNeeded: address.bits >> 64))
        number(UInt64(truncatingIfNeeded: address.bits))
    }
}

extension PlanReader {
    fileprivate mutating func ipv6() throws(Malformed) -> IPv6Address {
        let high: UInt64 = try number()
        let low: UInt64 = try number()
        return IPv6Address(bits: UInt128(high) << 64 | UInt128(low))
    }
}

extension Inheritance {
    fileprivate func write(to writer: inout PlanWriter) {
        writer.list(arguments) { $0.octets($1.bytes) }
        writer.list(environment.entries) { $0.octets($1.bytes) }
        writer.number(ignoredSignals.rawValue)
        writer.number(blockedSignals.rawValue)
        writer.list(descriptors) { $0.number($1) }
        let sets = capabilities
        for set in [sets.effective, sets.permitted, sets.inheritable, sets.ambient, sets.bounding] {
            writer.number(set)
        }
    }

    fileprivate init(from reader: inout PlanReader) throws(PlanReader.Malformed) {
        arguments = try reader.list { reader throws(PlanReader.Malformed) in OSString(try reader.octets()) }
        environment = Environment(
            entries: try reader.list { reader throws(PlanReader.Malformed) in OSString(try reader.octets()) })
        ignoredSignals = SignalSet(rawValue: try reader.number())
        blockedSignals = SignalSet(rawValue: try reader.number())
        descriptors = try reader.list { reader throws(PlanReader.Malformed) in try reader.number() }
        capabilities = CapabilitySets(
            effective: try reader.number(), permitted: try reader.number(), inheritable: try reader.number(),
            ambient: try reader.number(), bounding: try reader.number())
    }
}
