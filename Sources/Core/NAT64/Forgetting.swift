// SPDX-License-Identifier: Apache-2.0
extension NAT64 {
    /// Forgets all sessions and what was made for them, and tells nobody: as one that has started again, or that another has taken over
    /// from. Static entries of the BIB stay, and so do counters and the row of identifications.
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
