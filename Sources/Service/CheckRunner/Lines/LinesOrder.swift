// SPDX-License-Identifier: Apache-2.0
import Evidence

/// A request to a lines process.
///
///     order    = maps snapshots sites modules
///     maps     = count, then for each: octets
///     snapshot = octets of the stack, its address, the map's number, registers, makers
///     registers, makers = count, then for each: a number
///     site     = octets of the path, offset
///     module   = octets of the path
///     octets   = length, then that many
///
/// Numbers are of 64 bits, the lowest octet first.
struct LinesOrder: Hashable {
    var stacks: StackSnapshots
    var sites: [ModuleSite]
    /// The modules whose source files are asked for.
    var modules: [String]

    init(stacks: StackSnapshots = StackSnapshots(), sites: [ModuleSite] = [], modules: [String] = []) {
        self.stacks = stacks
        self.sites = sites
        self.modules = modules
    }

    var isEmpty: Bool { stacks.snapshots.isEmpty && sites.isEmpty && modules.isEmpty }

    var octets: [UInt8] {
        var octets: [UInt8] = []
        func add(_ number: UInt64) {
            for shift in stride(from: 0, to: 64, by: 8) { octets.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        func add(_ more: some Collection<UInt8>) {
            add(UInt64(more.count))
            octets += more
        }
        add(UInt64(stacks.maps.count))
        for map in stacks.maps { add(map) }
        add(UInt64(stacks.snapshots.count))
        for snapshot in stacks.snapshots {
            add(snapshot.stack)
            add(snapshot.stackAddress)
            add(UInt64(snapshot.map))
            for numbers in [snapshot.registers, snapshot.makers] {
                add(UInt64(numbers.count))
                for number in numbers { add(number) }
            }
        }
        add(UInt64(sites.count))
        for site in sites {
            add(site.module.utf8)
            add(site.offset)
        }
        add(UInt64(modules.count))
        for module in modules { add(module.utf8) }
        return octets
    }

    /// `nil` if the octets are cut off, or more than the order needs.
    init?(_ octets: [UInt8]) {
        var reader = Reader(rest: octets[...])
        stacks = StackSnapshots()
        (sites, modules) = ([], [])
        guard let maps = reader.number() else { return nil }
        for _ in 0..<maps {
            guard let map = reader.octets() else { return nil }
            stacks.maps.append(Array(map))
        }
        guard let snapshots = reader.number() else { return nil }
        for _ in 0..<snapshots {
            guard let snapshot = reader.snapshot() else { return nil }
            stacks.snapshots.append(snapshot)
        }
        guard let count = reader.number() else { return nil }
        for _ in 0..<count {
            guard let module = reader.octets(), let offset = reader.number() else { return nil }
            sites.append(ModuleSite(module: String(decoding: module, as: UTF8.self), offset: offset))
        }
        guard let count = reader.number() else { return nil }
        for _ in 0..<count {
            guard let module = reader.octets() else { return nil }
            modules.append(String(decoding: module, as: UTF8.self))
        }
        guard reader.rest.isEmpty else { return nil }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func number() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }

        mutating func octets() -> ArraySlice<UInt8>? {
            guard let length = number(), length <= UInt64(rest.count) else { return nil }
            defer { rest = rest.dropFirst(Int(length)) }
            return rest.prefix(Int(length))
        }

        mutating func snapshot() -> StackSnapshot? {
            guard let stack = octets(), let address = number(), let map = number().flatMap(Int.init(exactly:)),
                let registers = numbers(), let makers = numbers()
            else { return nil }
            return StackSnapshot(
                registers: registers, stackAddress: address, stack: Array(stack), map: map, makers: makers)
        }

        private mutating func numbers() -> [UInt64]? {
            guard let count = number(), count <= UInt64(rest.count / 8) else { return nil }
            return (0..<count).compactMap { _ in number() }
        }
    }
}
