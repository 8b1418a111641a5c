// SPDX-License-Identifier: Apache-2.0
package import NAT64
import Text
import Translation
import Wire

/// A deviation of a run's NAT64 from the RFCs' defaults, as text: `tcp-established=10s`, `forgets=30s`, `sessions-per-host=50`. The names
/// are those of a configuration file; time-outs may be shorter than the RFCs allow.
package struct NAT64Setting: Hashable, Sendable, CustomStringConvertible {
    private enum Value: Hashable {
        case time(Duration)
        case number(Int)
    }

    private let name: String
    private let value: Value
    package let description: String

    package init(_ text: String) throws(OptionError) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { throw Self.error(text, "write NAME=VALUE, such as \(Self.example)") }
        let name = String(parts[0])
        if Self.times[name] != nil {
            guard let time = Duration(written: parts[1], in: Self.leastTime...Self.mostTime) else {
                throw Self.error(text, "the time must be from 10ms to 24h, such as 10s or 2m")
            }
            value = .time(time)
        } else if let numbers = Self.numbers(for: name) {
            guard let number = Int(parts[1]), numbers.contains(number) else {
                throw Self.error(text, "the number must be from \(numbers.lowerBound) to \(numbers.upperBound)")
            }
            value = .number(number)
        } else {
            let hint = nearestWord(to: name, among: Self.names).map { " (did you mean \($0)?)" } ?? ""
            throw Self.error(text, "unknown setting \(name)\(hint); there are \(Self.names.joined(separator: ", "))")
        }
        self.name = name
        description = "\(name)=\(parts[1])"
    }

    package func apply(to nat64: inout NAT64Configuration) {
        switch value {
        case .time(let time):
            for path in Self.times[name] ?? [] { nat64.lifetimes[keyPath: path] = time }
            nat64.allowsShortLifetimes = true
            if name == Self.forgets { nat64.probesIdleConnections = false }
        case .number(let number):
            if let path = Self.quotas[name] { nat64.limits[keyPath: path] = number }
            if let path = Self.mtus[name] { nat64.translation[keyPath: path] = number }
        }
    }

    /// Idle sessions of all kinds end silently after this time.
    private static let forgets = "forgets"
    private static var times: [String: [WritableKeyPath<Lifetimes, Duration>]] {
        [
            forgets: [\.udp, \.icmpQuery, \.tcpEstablished], "udp": [\.udp], "icmp-query": [\.icmpQuery],
            "tcp-established": [\.tcpEstablished], "tcp-transitory": [\.tcpTransitory],
        ]
    }
    private static var quotas: [String: WritableKeyPath<Limits, Int?>] {
        ["sessions-per-host": \.sessionsPerHost, "bindings-per-host": \.bindingsPerHost]
    }
    private static var mtus: [String: WritableKeyPath<TranslationOptions, Int>] { ["lowest-ipv6-mtu": \.lowestIPv6MTU] }
    private static var names: [String] { times.keys.sorted() + quotas.keys.sorted() + mtus.keys.sorted() }
    private static let leastTime = Duration.milliseconds(10)
    private static let mostTime = Duration.seconds(86_400)
    private static func numbers(for name: String) -> ClosedRange<Int>? {
        if quotas[name] != nil { return 0...(1 << 30) }
        return mtus[name] == nil ? nil : IPv6Header.minimumMTU...TranslationOptions.largestMTU
    }
    private static let example = "forgets=30s"

    private static func error(_ text: String, _ reason: String) -> OptionError {
        OptionError(option: "--nat64 \(text)", reason: reason)
    }
}
