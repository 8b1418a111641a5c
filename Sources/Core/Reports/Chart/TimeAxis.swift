// SPDX-License-Identifier: Apache-2.0
/// From the start of a run to its end, with ticks at round numbers.
struct TimeAxis {
    let end: Duration

    /// `nil` of a run that took no time.
    init?(until end: Duration) {
        if end <= .zero { return nil }
        self.end = end
    }

    /// Where a time is: 0 at the start, 100 at the end.
    func percent(_ time: Duration) -> Double {
        let hundredths = min(1, max(0, time / end)) * 10_000
        return hundredths.rounded() / 100
    }

    /// Up to six, the first at the start.
    var ticks: [(time: Duration, label: String)] {
        let length = end / .milliseconds(1)
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
            return (.milliseconds(Double(number) * step), "\(text) \(isInSeconds ? "s" : "ms")")
        }
    }
}
