// SPDX-License-Identifier: Apache-2.0
import Text

/// Conditions with a well-known name.
package struct ConditionPreset: Hashable, Sendable {
    /// The product that the names and values come from.
    package enum Source: String, CaseIterable, Sendable {
        /// The profiles of Apple's Network Link Conditioner (Additional Tools for Xcode; Settings, Developer).
        case apple = "Network Link Conditioner"
        /// `-netspeed` and `-netdelay` of Android's emulator: `ANDROID_NETWORK_LIST_MODES` in its android/network/constants.h.
        case android = "Android Emulator"
    }

    package let name: String
    package let source: Source
    package let conditions: Conditions

    /// Finds a preset by name. Case, spaces and hyphens do not matter: `Very Bad Network` is `very-bad-network`.
    static func named(_ text: Substring) throws(ConditionError) -> ConditionPreset {
        let key = key(text)
        if let preset = all.first(where: { Self.key($0.name) == key }) { return preset }
        let names = all.map(\.name)
        if let near = nearestWord(to: String(text), among: names + ConditionChange.keys) {
            throw ConditionError("no conditions \(text.prefix(40)) (did you mean \(near)?)")
        }
        throw ConditionError(
            "no conditions \(text.prefix(40)); there are \(enumerated(names)), and values such as delay=80ms (docs/conditions.md)"
        )
    }

    private static func key(_ text: some StringProtocol) -> String {
        text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "=") }
    }

    /// In the order of the page that lists them.
    package static let all: [ConditionPreset] = [
        link("3g", .apple, down: (780, 100), up: (330, 100)),
        link("dsl", .apple, down: (2_000, 5), up: (256, 5)),
        link("edge", .apple, down: (240, 400), up: (200, 440)),
        link("lte", .apple, down: (50_000, 50), up: (10_000, 65)),
        link("wi-fi", .apple, down: (40_000, 1), up: (33_000, 1)),
        link("wifi-802.11ac", .apple, down: (250_000, 1), up: (100_000, 1)),
        link("very-bad-network", .apple, down: (1_000, 500), up: (1_000, 500), loss: 100_000),
        ConditionPreset("high-latency-dns", .apple) { $0.dnsDelay = .seconds(3) },
        ConditionPreset("100%-loss", .apple) {
            $0.down.loss = 1_000_000
            $0.up.loss = 1_000_000
        },
        emulated("gsm", down: 14_400, up: 14_400, 150...550),
        emulated("hscsd", down: 57_600, up: 14_400, 80...400),
        emulated("gprs", down: 57_600, up: 28_800, 35...200),
        emulated("android-edge", down: 473_600, up: 473_600, 80...400),
        emulated("umts", down: 384_000, up: 384_000, 35...200),
        emulated("hsdpa", down: 13_980_000, up: 5_760_000, 0...0),
        emulated("android-lte", down: 173_000_000, up: 58_000_000, 0...0),
        emulated("evdo", down: 280_000_000, up: 75_000_000, 0...0),
    ]

    private init(_ name: String, _ source: Source, _ change: (inout Conditions) -> Void) {
        self.name = name
        self.source = source
        var conditions = Conditions()
        change(&conditions)
        self.conditions = conditions
    }

    /// - Parameters:
    ///   - down: kilobits a second, and milliseconds; `up` likewise.
    ///   - loss: millionths, in both directions.
    private static func link(
        _ name: String, _ source: Source, down: (Int, Int), up: (Int, Int), loss: Int = 0
    ) -> ConditionPreset {
        ConditionPreset(name, source) {
            $0.down.rate = down.0 * 1_000
            $0.down.delay = .milliseconds(down.1)
            $0.down.loss = loss
            $0.up.rate = up.0 * 1_000
            $0.up.delay = .milliseconds(up.1)
            $0.up.loss = loss
        }
    }

    /// The emulator delays the beginning of a connection, by a time within the range; here every packet from the client is delayed.
    /// - Parameters:
    ///   - down: bits a second; `up` likewise.
    ///   - latency: milliseconds.
    private static func emulated(_ name: String, down: Int, up: Int, _ latency: ClosedRange<Int>) -> ConditionPreset {
        ConditionPreset(name, .android) {
            $0.down.rate = down
            $0.up.rate = up
            $0.up.delay = .milliseconds(latency.lowerBound + latency.upperBound) / 2
            $0.up.jitter = .milliseconds(latency.upperBound - latency.lowerBound) / 2
        }
    }
}
