// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import StandaloneTranslator
import LinuxNet
import Translation

/// Any octets are a packet file that is translated to its end, twice with the same result, or cause an error message.
func fuzzCapture(_ input: [UInt8]) throws(BrokenInvariant) {
    let file: Descriptor
    do throws(SystemError) { file = try MemoryFile.make(input) } catch { throw BrokenInvariant("\(error)") }
    // The choices depend on the length and on an octet of pcap's time zone, which has no meaning.
    let choice = input.count > 8 ? Int(input[8]) + input.count : input.count
    var options = Replay.Options()
    options.hasSuperPackets = choice % 2 == 0
    if choice % 3 == 0 { options.runOn = .seconds(86_400 * 366) }
    let first = try replay(file, options)
    let second = try replay(file, options)
    try require(first == second, "\(first) the first time, \(second) the second")
}

private func replay(_ file: borrowing Descriptor, _ options: Replay.Options) throws(BrokenInvariant) -> String {
    let summary: ReplaySummary
    do throws(TranslatorError) {
        summary = try Replay.run(
            TranslatorConfiguration(), from: "/proc/self/fd/\(file.number)", to: "/dev/null", report: nil,
            options: options
        )
    } catch {
        return "\(error)"
    }
    try require(summary.skipped <= summary.packets, "more packets are skipped than there are")
    return "\(summary)"
}
