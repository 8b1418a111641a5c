package import Wire

extension CallEvidence {
    /// Gives calls the frames that interpreters told of beforehand: to calls of the same program to that far end.
    /// - Parameter addresses: those that a name was found to have; none if it was not asked for.
    package func withAnnouncedFrames(addresses: (String) -> Set<IPAddress>) -> CallEvidence {
        guard !announced.isEmpty else { return self }
        var evidence = self
        for (index, call) in calls.enumerated()
        where [.connect, .bind, .listen, .sendto, .sendmsg, .sendmmsg].contains(call.name) {
            // Frames that an interpreter told are there already.
            guard case .ip(let address, let port)? = call.address, !call.frames.contains(where: { $0.module == nil })
            else { continue }
            let candidates = announced.filter { $0.program == call.program && $0.port == port && !$0.frames.isEmpty }
            let match = candidates.first { candidate in
                if let literal = IPAddress(candidate.host) { return literal == address }
                return addresses(candidate.host).contains(address)
            }
            // A name of the hosts file, or of a resolver of the program's own: one candidate is no guess.
            let named = candidates.filter { IPAddress($0.host) == nil }
            let only = named.count == 1 && addresses(named[0].host).isEmpty ? named.first : nil
            if let frames = (match ?? only)?.frames { evidence.calls[index].frames = frames }
        }
        return evidence
    }
}
