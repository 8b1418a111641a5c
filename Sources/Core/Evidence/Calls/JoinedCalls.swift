// SPDX-License-Identifier: Apache-2.0
extension CallEvidence {
    /// Makes one entry of the same calls that a program made from one place: to an address or for a socket, by the line that is its own, and of questions to
    /// the kernel, by the whole stack, which tells whose they are. A call of which no place is known is one of those before it.
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

        /// `nil` of a call that is one entry already.
        init?(_ call: TracedCall) {
            switch call.subject {
            case .address, .socket: frames = call.frames.own.map { [$0] } ?? call.frames
            case .netlink: frames = call.frames
            case .option, .request, .file, .nothing: return nil
            }
            name = call.name
            subject = call.subject
            // What it returned, a number of octets, says nothing.
            outcome = if case .succeeded = call.outcome { .succeeded(0) } else { call.outcome }
            program = call.program
            isOfResolver = call.isOfResolver
        }
    }
}
