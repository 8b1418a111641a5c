import Evidence
import LinuxNet
import CallTracing
import Wire

/// From what the tracer saw to evidence: lines, and where addresses come from.
enum TracedRun {
    /// How long the kernel may take to end what was killed.
    private static let endingLimit = Duration.seconds(5)

    /// - Parameters:
    ///   - tracer: `nil` if it could not follow the client.
    ///   - obstacle: why the client does not stop at its calls, or could not be followed.
    static func evidence(of tracer: Tracer?, obstacle: Errno?) -> CallEvidence {
        guard let tracer, let trace = tracer.finish(until: MonotonicClock.now() + endingLimit) else {
            return untraced(because: obstacle.map { "\($0)" } ?? "its processes could not be ended in time")
        }
        if let obstacle { return untraced(because: "\(obstacle)") }
        return trace.evidence
    }

    private static func untraced(because reason: String) -> CallEvidence {
        var evidence = CallEvidence()
        evidence.gaps = ["The client's system calls could not be traced: \(reason)."]
        return evidence
    }
}
