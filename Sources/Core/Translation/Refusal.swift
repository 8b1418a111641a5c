// SPDX-License-Identifier: Apache-2.0
/// The reason why a packet is not translated. Thrown inside this target only; callers outside get `TranslationOutcome.dropped`.
struct Refusal: Error {
    let reason: DropReason
    /// The ICMP error that a router owes to the packet's source (`TranslationOutcome.dropped`); `nil` if there is none.
    var answer: ICMPError?

    init(_ reason: DropReason) {
        self.reason = reason
    }

    init(_ reason: DropReason, answering answer: ICMPv4Error) {
        self.reason = reason
        self.answer = .ipv4(answer)
    }

    init(_ reason: DropReason, answering answer: ICMPv6Error) {
        self.reason = reason
        self.answer = .ipv6(answer)
    }
}
