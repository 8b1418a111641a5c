// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Text
import Wire

/// `198.51.100.10 → 64:ff9b::c633:640a  getaddrinfo(AF_UNSPEC, SOCK_STREAM) by nc, process 812`: a literal, the address returned for it or
/// connected to, and the caller. `nil` if the call was about no literal.
func phrase(_ lookup: Lookup) -> (asked: String, whence: String)? {
    guard let literal = lookup.literal else { return nil }
    let hints = lookup.call == .getaddrinfo ? "(\((lookup.hints?.names ?? ["no hints"]).joined(separator: ", ")))" : ""
    var whence = "\(lookup.call.rawValue)\(hints) by \(printable(phrase(lookup.site))), process \(lookup.process)"
    if lookup.count > 1 { whence += ", × \(lookup.count)" }
    return ("\(literal) → \(answer(lookup))", whence)
}

private func answer(_ lookup: Lookup) -> String {
    guard lookup.call.maySynthesise else { return "IPv4 only" }
    let answer =
        lookup.result == 0
        ? (lookup.answers.isEmpty ? "IPv4" : lookup.answers.map(\.description).joined(separator: ", "))
        : LookupError.name(lookup.result)
    return answer + (lookup.synthesised.isEmpty ? lookup.outcome.map { " (\(reason($0)))" } ?? "" : "")
}

/// Why an answer has no synthesised address.
private func reason(_ outcome: SynthesisOutcome) -> String {
    switch outcome {
    case .literal, .name: "synthesised"
    case .notByProfile: "not synthesised"
    case .noNode: "no node"
    case .numericHost: "AI_NUMERICHOST rules synthesis out"
    case .family: "the family rules synthesis out"
    case .protocol: "the protocol rules synthesis out"
    case .noDottedQuad: "no dotted quad"
    case .excluded: "an address that is never synthesised"
    case .noIPv6Address: "there is no IPv6 address here"
    case .ipv4Reachable: "IPv4 reaches it"
    case .unknownService: "the service is unknown"
    case .noPref64: "there is no Pref64 here"
    case .notNeeded: "no need for synthesis"
    case .failed: "synthesis was not possible"
    }
}
