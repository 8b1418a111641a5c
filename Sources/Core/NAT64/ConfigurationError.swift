// SPDX-License-Identifier: Apache-2.0
public import Wire

/// Why a configuration cannot be used.
public enum ConfigurationError: Error, Hashable, Sendable {
    case noPrefix
    case tooManyPrefixes(Int, maximum: Int)
    /// Two Pref64s, one of which contains the other: an address would have two meanings.
    case overlappingPrefixes(IPv6Prefix, IPv6Prefix)
    case emptyPool
    case poolTooLarge(Int, maximum: Int)
    case duplicatePoolAddress(IPv4Address)
    /// Less than the RFCs allow; `allowsShortLifetimes` permits it nevertheless.
    case lifetimeTooShort(name: String, given: Duration, least: Duration)
    case limitOutOfRange(name: String, given: Int)
    case staticBindingOutsidePool(StaticBinding)
    /// The pool has the address, but with another port range.
    case staticBindingOutsidePorts(StaticBinding, ClosedRange<UInt16>)
    /// Its host would be an IPv4 host, and its packets would loop for ever.
    case staticBindingInsidePref64(StaticBinding)
    /// No packet can have it (RFC 6335 §6).
    case staticBindingOnPortZero(StaticBinding)
    /// One of its transport addresses is that of an earlier one with the same protocol.
    case conflictingStaticBinding(StaticBinding)
    case staticBindingsExceedLimits(StaticBinding)
}

extension ConfigurationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noPrefix: "there is no Pref64"
        case .tooManyPrefixes(let count, let maximum): "\(count) Pref64s; the maximum is \(maximum)"
        case .overlappingPrefixes(let one, let other): "the Pref64s \(one) and \(other) overlap"
        case .emptyPool: "the IPv4 address pool is empty"
        case .poolTooLarge(let count, let maximum):
            "the IPv4 address pool has \(count) addresses; the maximum is \(maximum)"
        case .duplicatePoolAddress(let address): "\(address) is in the IPv4 address pool twice"
        case .lifetimeTooShort(let name, let given, let least):
            "the lifetime \(name) is \(given), and \(least) is the least that the RFCs allow"
        case .limitOutOfRange(let name, let given): "the limit \(name) cannot be \(given)"
        case .staticBindingOutsidePool(let binding): "the static binding \(binding) has no address of the pool"
        case .staticBindingOutsidePorts(let binding, let ports):
            "the pool has the ports \(ports.lowerBound)-\(ports.upperBound) of the static binding \(binding)'s address"
        case .staticBindingInsidePref64(let binding): "the host of the static binding \(binding) is inside a Pref64"
        case .staticBindingOnPortZero(let binding): "the static binding \(binding) uses port 0"
        case .conflictingStaticBinding(let binding):
            "the static binding \(binding) uses a transport address that another one has"
        case .staticBindingsExceedLimits(let binding): "the limits leave no room for the static binding \(binding)"
        }
    }
}
