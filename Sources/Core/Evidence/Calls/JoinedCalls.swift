// SPDX-License-Identifier: Apache-2.0
extension CallEvidence {
    /// Merges equal calls that a program made from one place. Calls to an address or for a socket are compared by the program's own line,
    /// requests to the kernel by the whole stack, which shows their caller. A call without a known place is added to an earlier equal one.
    package mutating func joinCalls() {
        var first: [Place: Int] = [:]
        var ofKind: [Place: Int] = [:]
        var joined: [TracedCall] = []
        for call in calls {
            guard let place = Place(call) else {
                joined.append(call)
                continue
            }
            var kind = place
            (kind.frames, kind.isOfResolver) = ([], false)
            if let known = first[place] ?? (place.frames.isEmpty ? ofKind[kind] : nil) {
                joined[known].count += call.count
                continue
            }
            first[place] = joined.count
            ofKind[kind] = ofKind[kind] ?? joined.count
            joined.append(call)
        }
        calls = joined
    }

    private struct Place: Hashable {
        var name: TracedCall.Name
        var subject: TracedCall.Subject
        var outcome: TracedCall.Outcome
        var program: Int
        var isOfResolver: Bool
        var frames: [StackFrame]

        /// `nil` for a call that is never merged.
        init?(_ call: TracedCall) {
            switch call.subject {
            case .address, .socket: frames = call.frames.own.map { [$0] } ?? call.frames
            case .netlink: frames = call.frames
            case .option, .request, .file, .nothing: return nil
            }
            name = call.name
            subject = call.subject
            // The value returned, a number of octets, is irrelevant.
            outcome = if case .succeeded = call.outcome { .succeeded(0) } else { call.outcome }
            program = call.program
            isOfResolver = call.isOfResolver
        }
    }
}
