// SPDX-License-Identifier: Apache-2.0
package import Translation
public import Wire

/// A stateful NAT64 (RFC 6146).
///
/// Theory of operation. `receive` takes one packet from one side through the steps of §3: determining the incoming tuple, filtering and
/// updating, computing the outgoing tuple, translating the packet, and hairpinning; a file under `Steps` is named after each. A packet ends
/// in exactly one way: it is emitted (as one packet or several), it is stored until more is known, or it is dropped for one reason; stored
/// ones end in one of the other ways later.
///
/// The caller provides the time, which never goes back. State that expired by `now` is removed before the packet is examined, so `receive`
/// alone enforces all time-outs; `expire` is for times without packets. All expiries happen in the order of the deadlines and as if at
/// them, however late the call.
///
/// Nothing in here is shared: only one task at a time may use it.
///
/// Methods in the path of a packet are `mutating`, even if they only look something up: the compiler passes the address of a mutated value,
/// but copies a borrowed one, and this is a large structure.
public struct NAT64: ~Copyable {
    public let configuration: NAT64Configuration
    public internal(set) var counters = Counters()

    let lifetimes: LifetimeIntervals
    var now: Instant
    var random: SeededRandom
    let prefixes: [Pref64]
    let exemptIPv4: [IPv4Prefix]
    let errorSources: ErrorSources
    let pool: AddressPool
    var hosts: HostTable
    /// One for each `TransportProtocol`, in the order of the raw values.
    private var tables: InlineArray<3, TransportTables>
    var storedSYNs: StoredSYNs
    var fragments: FragmentTable
    var fragmentStore: PacketStore
    var translator: HeaderTranslator
    /// The origin of the router that contains the NAT64, or a separate one.
    let errors: ErrorOrigin
    /// For packets of our own, and for stored ones that are sent on; `nil` while it is in use, and until it is needed.
    var scratch: PacketBuffer?

    /// `seed` determines hash keys, ports and addresses: the same seed and the same packets give the same output.
    public init(_ configuration: NAT64Configuration, seed: UInt64, now: Instant) throws(ConfigurationError) {
        try self.init(configuration, seed: seed, now: now, errors: nil)
    }

    /// - Parameter origin: the origin of ICMP errors of the router that contains the NAT64; `nil` if there is no router.
    package init(
        _ configuration: NAT64Configuration, seed: UInt64, now: Instant, errors origin: ErrorOrigin?
    ) throws(ConfigurationError) {
        try configuration.validate()
        var random = SeededRandom(seed: seed)
        let hash = KeyedHash(from: &random)
        let limits = configuration.limits
        self.configuration = configuration
        lifetimes = LifetimeIntervals(configuration.lifetimes)
        prefixes = configuration.prefixes
        exemptIPv4 = configuration.exemptIPv4
        errorSources = configuration.errors.borrowedSources
        self.now = now
        pool = AddressPool(configuration.pool, hash: hash)
        hosts = HostTable(limit: Limits.maximum, hash: hash)
        tables = InlineArray {
            TransportTables(TransportProtocol.allCases[$0], for: configuration, hash: hash, now: now)
        }
        storedSYNs = StoredSYNs(limit: limits.storedSYNs)
        fragments = FragmentTable(
            limit: limits.fragmentedDatagrams, lifetime: Interval(configuration.lifetimes.fragments), hash: hash)
        fragmentStore = PacketStore(capacity: limits.fragmentOctets)
        translator = HeaderTranslator(options: configuration.translation, seed: random.next())
        errors = origin ?? ErrorOrigin(configuration.errors, seed: ~seed, now: now)
        self.random = random
        insertStaticBindings()
    }

    /// For the IPv4 packets that it makes.
    package var identifications: IdentificationGenerator { translator.identifications }

    subscript(_ transport: TransportProtocol) -> TransportTables {
        @inline(always) _read { yield tables[transport.rawValue] }
        @inline(always) _modify { yield &tables[transport.rawValue] }
    }

    /// RFC 6146 §3.1: the BIB entries that the administrator configured. Validation has ensured that they fit.
    private mutating func insertStaticBindings() {
        for entry in configuration.staticBindings {
            guard let place = pool.place(of: entry.mapped.address),
                let host = hosts.find(entry.host.address) ?? hosts.insert(entry.host.address, poolAddress: place)
            else { continue }
            _ = insertBinding(entry.host, entry.mapped, host, place, life: .permanent, in: entry.transport)
        }
    }
}
