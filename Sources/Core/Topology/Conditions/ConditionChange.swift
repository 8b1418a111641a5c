// SPDX-License-Identifier: Apache-2.0
import Text

/// One item of conditions as they are written: `lte`, `delay=80ms`, `up-loss=1%`.
enum ConditionChange: Hashable, Sendable {
    enum Quantity: String, CaseIterable, Sendable {
        case delay, jitter, loss, reorder, duplicate, corrupt, rate
    }

    /// Resets everything to the preset.
    case preset(ConditionPreset)
    /// Nanoseconds, millionths or bits a second.
    case quantity(Quantity, isDown: Bool, isUp: Bool, Int)
    case dnsDelay(Duration)
    case outage(Range<Duration>)
    case flap(Duration)
    case noUplink

    /// The range of a delay.
    static let delays = Duration.zero...Duration.seconds(60)
    /// Bits a second.
    static let rates = 1_000...10_000_000_000
    /// The range of the times of an outage.
    private static let times = Duration.zero...Duration.seconds(86_400)

    static var keys: [String] {
        let quantities = Quantity.allCases.map(\.rawValue)
        return quantities + quantities.map { "down-\($0)" } + quantities.map { "up-\($0)" }
            + ["dns-delay", "down", "flap", "no-uplink"]
    }

    init(_ text: Substring) throws(ConditionError) {
        guard let equals = text.firstIndex(of: "=") else {
            if text.lowercased() == "no-uplink" {
                self = .noUplink
                return
            }
            self = .preset(try ConditionPreset.named(text))
            return
        }
        let key = text[..<equals].lowercased()
        let value = text[text.index(after: equals)...].lowercased()
        switch key {
        case "dns-delay": self = .dnsDelay(try Self.delay(key, value))
        case "down": self = .outage(try Self.outage(value))
        case "flap": self = .flap(try Self.flap(value))
        default:
            let isDown = !key.hasPrefix("up-")
            let isUp = !key.hasPrefix("down-")
            let name = isDown && isUp ? key : String(key.drop { $0 != "-" }.dropFirst())
            guard let quantity = Quantity(rawValue: name) else { throw Self.unknown(key) }
            self = .quantity(quantity, isDown: isDown, isUp: isUp, try Self.number(quantity, key, value))
        }
    }

    func apply(to conditions: inout Conditions) {
        switch self {
        case .preset(let preset): conditions = preset.conditions
        case .quantity(let quantity, let isDown, let isUp, let number):
            if isDown { conditions.down.set(quantity, to: number) }
            if isUp { conditions.up.set(quantity, to: number) }
        case .dnsDelay(let delay): conditions.dnsDelay = delay
        case .outage(let outage): conditions.outage = outage
        case .flap(let flap): conditions.flap = flap
        case .noUplink: conditions.hasUplink = false
        }
    }

    private static func unknown(_ key: String) -> ConditionError {
        let near = nearestWord(to: key, among: keys).map { " (did you mean \($0)?)" }
        return ConditionError("no condition \(excerpt(key))\(near ?? "; there are \(enumerated(keys))")")
    }

    private static func number(
        _ quantity: Quantity, _ key: String, _ value: String
    ) throws(ConditionError) -> Int {
        switch quantity {
        case .delay, .jitter: try Int(delay(key, value) / .nanoseconds(1))
        case .loss, .reorder, .duplicate, .corrupt: try share(key, value)
        case .rate: try rate(value)
        }
    }

    private static func delay(_ key: String, _ value: String) throws(ConditionError) -> Duration {
        if let delay = Duration(written: value, in: delays) { return delay }
        throw ConditionError("\(key)=\(excerpt(value)): give a time from 0 to 60s, such as 80ms")
    }

    private static func outage(_ value: String) throws(ConditionError) -> Range<Duration> {
        let ends = value.split(separator: "-", omittingEmptySubsequences: false)
        if ends.count == 2, let start = Duration(written: ends[0], in: times),
            let end = Duration(written: ends[1], in: times), start < end
        {
            return start..<end
        }
        throw ConditionError(
            "down=\(excerpt(value)): give two times from the client's start on, such as 10s-15s")
    }

    private static func flap(_ value: String) throws(ConditionError) -> Duration {
        if let time = Duration(written: value, in: .milliseconds(1)...Duration.seconds(60)) { return time }
        throw ConditionError("flap=\(excerpt(value)): give a time from 1ms to 60s, such as 10ms")
    }

    /// A percentage with up to four decimals, in millionths.
    private static func share(_ key: String, _ value: String) throws(ConditionError) -> Int {
        if value.hasSuffix("%"), let millionths = fixedPoint(value.dropLast(), decimals: 4), millionths <= 1_000_000 {
            return millionths
        }
        throw ConditionError("\(key)=\(excerpt(value)): give a percentage from 0% to 100%, such as 0.5%")
    }

    private static func rate(_ value: String) throws(ConditionError) -> Int {
        for (unit, decimals) in [("kbit", 3), ("mbit", 6), ("gbit", 9)] where value.hasSuffix(unit) {
            if let rate = fixedPoint(value.dropLast(unit.count), decimals: decimals), rates.contains(rate) {
                return rate
            }
        }
        throw ConditionError(
            "rate=\(excerpt(value)): give bits a second from 1kbit to 10gbit, such as 5mbit or 14.4kbit")
    }

    /// `1.5` with three decimals is 1500.
    private static func fixedPoint(_ text: Substring, decimals: Int) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // No value here has more than six digits.
        guard (1...2).contains(parts.count), (1...6).contains(parts[0].utf8.count), let whole = decimalNumber(parts[0])
        else { return nil }
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        guard parts.count == 2 else { return whole * scale }
        guard (1...decimals).contains(parts[1].utf8.count), let fraction = decimalNumber(parts[1]) else { return nil }
        return whole * scale + fraction * (parts[1].utf8.count..<decimals).reduce(1) { scale, _ in scale * 10 }
    }

    /// The beginning of a text that may be long, for an error message.
    private static func excerpt(_ text: String) -> String { String(text.prefix(40)) }
}

extension Conditions.Direction {
    fileprivate mutating func set(_ quantity: ConditionChange.Quantity, to number: Int) {
        switch quantity {
        case .delay: delay = .nanoseconds(number)
        case .jitter: jitter = .nanoseconds(number)
        case .loss: loss = number
        case .reorder: reorder = number
        case .duplicate: duplicate = number
        case .corrupt: corrupt = number
        case .rate: rate = number
        }
    }
}
