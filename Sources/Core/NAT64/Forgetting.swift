// SPDX-License-Identifier: Apache-2.0
extension NAT64 {
    /// Deletes all sessions and their state without notice, as after a restart or a takeover by another NAT64. Static entries of the BIB
    /// stay, and so do counters and the sequence of identifications.
    package mutating func forgetSessions() {
        let fresh: NAT64
        do throws(ConfigurationError) {
            fresh = try NAT64(configuration, seed: random.next(), now: now, errors: errors)
        } catch {
            preconditionFailure("a configuration that held before: \(error)")
        }
        let (counters, translator) = (counters, translator)
        self = consume fresh
        self.counters = counters
        self.translator = translator
    }
}
