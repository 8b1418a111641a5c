// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Bench

@Suite("Measurements and their table")
struct MeasurementTests {
    @Test
    func `The median of an even count lies between the two in the middle`() {
        #expect([3.0, 1, 2].median == 2)
        #expect([4.0, 1, 3, 2].median == 2.5)
        #expect([Double]().median.isNaN)
    }

    @Test
    func `A ratio is taken within each round, before the median`() {
        // In the second round the machine was busy, for both.
        let peer = Measurement(.throughput, "peer", "Gbit/s", [2, 1, 4])
        let measurement = Measurement(.throughput, "it", "Gbit/s", [6, 3, 12]).compared(with: peer, aim: .atLeast(3))
        #expect(measurement.comparisons.map(\.ratios) == [[3, 3, 3]])
    }

    @Test(
        arguments: [
            (0, "0"), (5, "5"), (0.355, "0.355"), (0.05, "0.050"), (4.104, "4.10"), (32.67, "32.7"), (99.96, "100.0"),
            (129.4, "129"), (1_568_008.2, "1,568,008"), (-1234.5, "-1,235"), (-0.5, "-0.500"), (.nan, "–"),
            (.infinity, "–"),
        ] as [(Double, String)])
    func `Numbers have three digits that matter`(_ value: Double, _ text: String) {
        #expect(number(value) == text)
    }

    @Test
    func `A line has the median, the spread, what it is compared with, and how that stands to the aim`() {
        let peer = Measurement(.throughput, "tayga", "Gbit/s", [1, 2, 3])
        let measurement = Measurement(.throughput, "NAT64", "Gbit/s", [20, 10, 12], aim: .atMost(5))
            .compared(with: peer, aim: .atLeast(5))
        #expect(
            Table([peer, measurement]).lines == [
                "  tayga    2 Gbit/s   1 … 3",
                "  NAT64   12 Gbit/s   10 … 20 (✗ aim: at most 5)   5 × tayga (✓ aim: at least 5)",
            ])
    }
}
