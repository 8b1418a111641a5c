// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Examination {
    /// The attempts at addresses that the client has from elsewhere than the DNS.
    var writtenAttempts: [TracedCall] { calls.attempts.filter(isWritten) }

    /// Whether the client has the IPv4 address of a failed attempt from elsewhere than the DNS, though an answer may contain it as well: it
    /// had asked for no name by then, or it was given the address or has it as text, and knows an IPv6 address of its name.
    func isWritten(_ call: TracedCall) -> Bool {
        guard let address = call.ipv4, call.isUnreachable else { return false }
        let isFirst = call.time < traced.firstQuestion
        switch call.origin?.place {
        case .payload: return false
        case .answer, nil: return isFirst
        case .argument, .command, .environment, .file, .data:
            return isFirst || nameWithIPv6(of: .ipv4(address)) != nil
        }
    }
}
