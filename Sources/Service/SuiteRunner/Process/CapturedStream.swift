// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Suites
import TestResults

extension OutputPipe {
    /// Octets at the start that expectations can match.
    static let capturedStart = 1 << 20

    /// - Parameter isCopied: whether the whole stream is wanted, up to one octet more than a report's limit, and not only its start and end.
    static func capturing(isCopied: Bool = false) throws(SystemError) -> OutputPipe {
        try OutputPipe(start: capturedStart, end: 16_384, copy: isCopied ? ResultsFormat.sizeLimit + 1 : nil)
    }

    var text: CapturedText {
        CapturedText(
            String(decoding: start, as: UTF8.self), omitted: omitted, end: String(decoding: end, as: UTF8.self))
    }
}
