// SPDX-License-Identifier: Apache-2.0
/// Why a packet is not translated, thrown inside this target; outside it is `TranslationOutcome.dropped`.
struct Refusal: Error {
    let reason: DropReason
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
