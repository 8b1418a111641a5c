// SPDX-License-Identifier: Apache-2.0
package import Wire

extension CallEvidence {
    /// Gives calls the frames that interpreters told of beforehand: to calls of the same program to that far end.
    /// - Parameter addresses: those that a name was found to have; none if it was not asked for.
    package func withAnnouncedFrames(addresses: (String) -> Set<IPAddress>) -> CallEvidence {
        guard !announced.isEmpty else { return self }
        var evidence = self
        // What was announced several times was called as often, in that order; of a name, once for each of its addresses.
        var taken: [AnnouncedCall: Set<IPAddress>] = [:]
        for (index, call) in calls.enumerated()
        where [.connect, .bind, .listen, .sendto, .sendmsg, .sendmmsg].contains(call.name) {
            // Frames that an interpreter told are there already.
            guard case .ip(let address, let port)? = call.address, !call.frames.contains(where: { $0.module == nil })
            else { continue }
            let ofProgram = announced.filter { $0.program == call.program && !$0.frames.isEmpty }
            let candidates = ofProgram.filter { $0.port == port }
            // When it listens, the kernel has chosen the port that it left open.
            let open = call.name == .listen ? ofProgram.filter { $0.port == 0 } : []
            let matches = (candidates + open).filter { candidate in
                if let literal = IPAddress(candidate.host) { return literal == address }
                return addresses(candidate.host).contains(address)
            }
            let match = matches.first { taken[$0]?.contains(address) != true } ?? matches.first
            if let match { taken[match, default: []].insert(address) }
            // A name of the hosts file, or of a resolver of the program's own: one candidate is no guess.
            let named = candidates.filter { IPAddress($0.host) == nil }
            let only = named.count == 1 && addresses(named[0].host).isEmpty ? named.first : nil
            if let frames = (match ?? only)?.frames { evidence.calls[index].frames = frames }
        }
        return evidence
    }

    /// Where an interpreter said that it will look a name up; `nil` if it did not.
    package func announcedFrame(of lookup: Lookup) -> StackFrame? {
        let candidates = announced.filter {
            $0.host == lookup.node && programs.indices.contains($0.program)
                && Int(programs[$0.program].process) == lookup.process
        }
        return (candidates.first { $0.port == nil } ?? candidates.first)?.frames.own
    }
}
