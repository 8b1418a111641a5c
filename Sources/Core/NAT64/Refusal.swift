// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

/// Why a packet is not translated, and the answer for its sender.
struct Refusal: Error, Equatable {
    var reason: DropReason
    /// `nil` if the RFCs require silence.
    var answer: Answer?

    init(_ reason: DropReason, answer: Answer? = nil) {
        self.reason = reason
        self.answer = answer
    }

    /// The answer, in terms of both families.
    enum Answer: Equatable {
        case addressUnreachable
        case portUnreachable
        case protocolUnreachable
        case administrativelyProhibited
        /// The error of the header translation.
        case translators(ICMPError)
    }
}

extension Refusal.Answer {
    /// The error to send back to `side`.
    func error(to side: Side) -> ICMPError {
        switch (self, side) {
        case (.addressUnreachable, .ipv6): .ipv6(.addressUnreachable)
        case (.addressUnreachable, .ipv4): .ipv4(.hostUnreachable)
        case (.portUnreachable, .ipv6): .ipv6(.portUnreachable)
        case (.portUnreachable, .ipv4): .ipv4(.portUnreachable)
        // ICMPv6 has no error for protocols; RFC 6146 §3.5 requires this one.
        case (.protocolUnreachable, .ipv6): .ipv6(.portUnreachable)
        case (.protocolUnreachable, .ipv4): .ipv4(.protocolUnreachable)
        case (.administrativelyProhibited, .ipv6): .ipv6(.administrativelyProhibited)
        case (.administrativelyProhibited, .ipv4): .ipv4(.communicationAdministrativelyProhibited)
        case (.translators(let error), _): error
        }
    }
}
