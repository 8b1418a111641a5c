/// A fault of the DNS64 that is switched on.
public struct FaultEntry: Codable, Hashable, Sendable {
    /// Counts up from 1 as faults are added; never given to another.
    public var id: UInt64
    /// In presentation format: `*.shop.test AAAA any any rcode SERVFAIL`.
    public var fault: String

    public init(id: UInt64, fault: String) {
        self.id = id
        self.fault = fault
    }
}
