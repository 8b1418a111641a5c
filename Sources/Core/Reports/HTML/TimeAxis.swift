// SPDX-License-Identifier: Apache-2.0
/// The time from the start of a run to its end, with ticks at round numbers.
struct TimeAxis {
    /// In seconds.
    let end: Double

    /// - Parameter end: in seconds; no run takes thirty years.
    /// - Returns: `nil` if it took no time.
    init?(until end: Double) {
        if end.isNaN || end <= 0 { return nil }
        self.end = min(end, 1e9)
    }

    /// The position of a time: 0 at the start, 100 at the end.
    func percent(_ seconds: Double) -> Double {
        let hundredths = min(1, max(0, seconds / end)) * 10_000
        return hundredths.rounded() / 100
    }

    /// `21 ms`, `1.25 s`: in the unit of the axis.
    func label(_ seconds: Double) -> String {
        let seconds = min(max(seconds, 0), end)
        return end < 1 ? "\(Int((seconds * 1000).rounded())) ms" : "\(decimal(seconds)) s"
    }

    /// Up to six ticks, the first at the start.
    var ticks: [(seconds: Double, label: String)] {
        let length = end * 1000
        // In milliseconds: 1, 2 or 5 times a power of ten.
        var step = 0.001
        var factors = [2, 2.5, 2]
        while length / step > 5 {
            step *= factors[0]
            factors.append(factors.removeFirst())
        }
        let isInSeconds = step >= 100
        return (0...Int(length / step)).map { number in
            let value = Double(number) * step / (isInSeconds ? 1000 : 1)
            let rounded = (value * 1000).rounded() / 1000
            let text = rounded == rounded.rounded() ? "\(rounded)".replacing(".0", with: "") : "\(rounded)"
            return (Double(number) * step / 1000, "\(text) \(isInSeconds ? "s" : "ms")")
        }
    }
}
